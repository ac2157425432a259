// What the page costs in a browser with a recording of any size: the time to the first useful picture, and the memory of its
// script while it is used.
//
// usage: BASE_URL=http://127.0.0.1:7777/ node test/page_cost.mjs [STEPS]
//
// First useful picture: the tracks are named, and the timeline has been drawn with what the server said of it. Then STEPS (400)
// keys of a walk with a seed: zooms, pans, the whole trace; every tenth step selects a range, every seventh another panel.
// Memory is that of the script's heap, of the page's elements and of typed arrays (tiles), read after every twenty steps, before and after what is garbage has been collected.

import { chromium } from 'playwright-core';

const base = process.env.BASE_URL;
if (!base) throw new Error('BASE_URL says which server to look at');
const steps = Number(process.argv[2] ?? 400);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--enable-precise-memory-info'] });
const page = await browser.newPage({ viewport: { width: 1500, height: 900 } });
const client = await page.context().newCDPSession(page);
const errors = [];
page.on('pageerror', (error) => errors.push(error.message));

// Colours in the middle of the timeline: one while nothing is drawn.
const coloursDrawn = () =>
  page.evaluate(() => {
    let most = 0;
    for (const canvas of document.querySelectorAll('canvas')) {
      const context = canvas.getContext('2d');
      if (!context || canvas.width === 0 || canvas.height === 0) continue;
      const { data } = context.getImageData(0, 0, canvas.width, Math.min(canvas.height, 400));
      const seen = new Set();
      for (let i = 0; i < data.length; i += 404) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      most = Math.max(most, seen.size);
    }
    return most;
  });

// A browser that has just started loads pages of its own for seconds.
await page.goto('about:blank');
await page.waitForTimeout(4000);
const began = performance.now();
await page.goto(base, { waitUntil: 'commit' });
await page.waitForSelector('.tl-labels .track-label', { timeout: 120_000 });
const named = performance.now() - began;
while ((await coloursDrawn()) < 8) await page.waitForTimeout(10);
const drawn = performance.now() - began;
const paints = await page.evaluate(() => Object.fromEntries(performance.getEntriesByType('paint').map((one) => [one.name, one.startTime])));

let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const heap = async () => {
  const usage = await client.send('Runtime.getHeapUsage');
  return (usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0)) / 1e6;
};
let most = 0;
let mostAfter = 0;
const keys = ['w', 'w', 'w', 's', 'a', 'd', 'd', 'ArrowDown', 'PageDown', 'Home'];
await page.locator('canvas').last().click({ position: { x: 700, y: 200 } });
const walkBegan = performance.now();
for (let step = 0; step < steps; ++step) {
  if (step % 10 === 9) {
    const x = 300 + random() * 500;
    await page.mouse.move(x, 300);
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(x + 200, 300);
    await page.mouse.up();
    await page.keyboard.up('Shift');
  } else if (step % 7 === 6) {
    const tabs = page.locator('[role=tab]');
    await tabs.nth(Math.floor(random() * (await tabs.count()))).click();
  } else {
    await page.keyboard.press(keys[Math.floor(random() * keys.length)]);
  }
  if (step % 20 === 19) {
    await page.waitForTimeout(150);
    most = Math.max(most, await heap());
    await client.send('HeapProfiler.collectGarbage');
    mostAfter = Math.max(mostAfter, await heap());
  }
}
console.log(
  JSON.stringify({
    tracks_named_ms: Math.round(named),
    first_useful_picture_ms: Math.round(drawn),
    first_contentful_paint_ms: Math.round(paints['first-contentful-paint'] ?? -1),
    steps,
    walk_ms: Math.round(performance.now() - walkBegan),
    most_heap_mb: Math.round(most * 10) / 10,
    most_heap_after_collection_mb: Math.round(mostAfter * 10) / 10,
    errors,
  }),
);
await browser.close();
