// Ranks of one run on one axis of time: each event stands where its rank's moved clock puts it, and a range has the numbers of each rank.

import { check } from './access.mjs';
import { ask, assert, becomes, coloursOf, equal, hashOf, openPage, settle, viewOf, waitFor } from './harness.mjs';
import { start } from '../mock_server.mjs';
import { formatDuration } from './units.mjs';

// The server of the test when it has aligned ranks; with the mock one of its own.
async function withRanks(context, options, test) {
  if (!context.mock) {
    const answer = await fetch(`${context.base}api/v1/ranks`);
    const ranks = answer.ok ? await answer.json() : null;
    if (!options.alsoReal || ranks?.status !== 'aligned') return;
    await test(context, ranks);
    return;
  }
  const { server, url } = await start(options);
  const own = Object.assign(Object.create(context), { base: url });
  try {
    await test(own, await (await fetch(`${url}api/v1/ranks`)).json());
  } finally {
    // Their server goes away: what they ask after that is no error.
    for (const leave of context.quiet.splice(0)) leave();
    for (const page of context.pages) await page.goto('about:blank');
    server.closeAllConnections();
    server.close();
  }
}

async function openAll(context, hash = '#t=all') {
  const page = await openPage(context, hash);
  context.pages.push(page);
  await waitFor(async () => (await page.locator('#trace-all').getAttribute('aria-selected')) === 'true', 'the ranks are shown together');
  return page;
}

// Starts of traces as the page reads them: whole.
async function axisOf(context, ranks) {
  const starts = [];
  for (const rank of ranks.ranks) starts.push((await ask(context, `traces/${rank.trace}/tracks`)).start_ns + BigInt(rank.shift_ns));
  const least = starts.reduce((a, b) => (a < b ? a : b));
  return { least, deltas: starts.map((one) => Number(one - least)) };
}

export const rankTests = {
  'ranks lie on one axis, with what was measured of their clocks': (context) =>
    withRanks(context, { ranks: 3, alsoReal: true }, async (own, ranks) => {
      const page = await openAll(own);
      for (const { rank } of ranks.ranks) await waitFor(async () => (await page.locator('.tl-labels').innerText()).includes(`rank ${rank}, `), `rank ${rank} has its groups`);
      await waitFor(async () => (await page.locator('.ranks').innerText()).includes(ranks.clocks), 'what is known of the clocks is said');
      equal(await page.locator('.ranks .verdict').innerText(), ranks.comparison.verdict, 'who waits for whom');
      const waits = (await page.getByRole('region', { name: 'Waits of the ranks' }).locator('tbody tr').nth(1).innerText()).replace(/\s/g, '');
      assert(waits.includes(formatDuration(ranks.comparison.rows[1].wait_ns).replace(' ', '')), `the wait of rank 1: ${waits}`);
      const table = page.getByRole('region', { name: 'Clocks of the ranks' });
      await becomes(() => table.locator('tbody tr').count(), ranks.ranks.length, 'rows');
      const last = ranks.ranks[ranks.ranks.length - 1];
      assert((await table.innerText()).replace(/\s/g, '').includes(`\u00b1${formatDuration(last.error_ns).replace(' ', '')}`), 'the error is said');
    }),

  'a range has the numbers of each rank in its own time': (context) =>
    withRanks(context, { ranks: 3, alsoReal: true }, async (own, ranks) => {
      const { least, deltas } = await axisOf(own, ranks);
      const steps = await ask(own, `traces/${ranks.ranks[0].trace}/documents/steps`);
      const step = steps.rows[0];
      const from = Number(step.start_ns + BigInt(ranks.ranks[0].shift_ns) - least);
      const page = await openAll(own, `#t=all&r=${from},${from + step.wall_ns}&p=selection`);
      const table = page.getByRole('region', { name: 'Ranks in the selected time' });
      await waitFor(async () => (await table.innerText()).includes('\u2026') === false, 'all ranks have answered');
      for (const [i, rank] of ranks.ranks.entries()) {
        const start = least + BigInt(from - deltas[i]) + BigInt(deltas[i]) - BigInt(rank.shift_ns);
        const idle = await ask(own, `traces/${rank.trace}/documents/idle?range=${start}:${start + BigInt(step.wall_ns)}&limit=1`);
        const busy = idle.devices.reduce((sum, device) => sum + device.busy_ns, 0);
        const row = (await table.locator('tbody tr').nth(i).innerText()).replace(/\s+/g, '');
        assert(row.includes(formatDuration(busy).replace(' ', '')), `rank ${rank.rank} is busy ${formatDuration(busy)}: ${row}`);
      }
    }),

  'an event of another rank is that of its trace': (context) =>
    withRanks(context, { ranks: 3, alsoReal: true }, async (own, ranks) => {
      const { least } = await axisOf(own, ranks);
      const place = ranks.ranks[1];
      const kernels = await ask(own, `traces/${place.trace}/documents/kernels?limit=1`);
      const [hit] = (await ask(own, `traces/${place.trace}/search?q=${encodeURIComponent(kernels.rows[0].name.slice(0, 60))}&limit=1`)).hits;
      const at = Number(hit.start_ns + BigInt(place.shift_ns) - least);
      const page = await openAll(own, `#t=all&v=${at - 3 * hit.duration_ns},${at + 4 * hit.duration_ns}&e=${hit.kind}:${2 ** 32 + hit.row}`);
      await waitFor(async () => (await page.locator('.event .facts').first().innerText()).replace(/\s+/g, ' ').includes(`rank ${place.rank}`), 'its rank is told');
      await waitFor(async () => (await page.locator('.event').innerText()).includes(formatDuration(hit.duration_ns)), 'its duration');
      await waitFor(async () => (await coloursOf(page)) > 12, 'events are drawn');
      await page.keyboard.press('.');
      await waitFor(async () => (await hashOf(page)).get('e') !== `${hit.kind}:${2 ** 32 + hit.row}`, 'the next event of the rank');
      assert(Math.floor(Number((await hashOf(page)).get('e').split(':')[1]) / 2 ** 32) === 1, 'is of the same rank');
    }),

  'searches all ranks, and opens one alone at the same time': (context) =>
    withRanks(context, { ranks: 3, alsoReal: true }, async (own, ranks) => {
      const page = await openAll(own);
      const kernels = await ask(own, `traces/${ranks.ranks[0].trace}/documents/kernels?limit=1`);
      const text = kernels.rows[0].name.slice(0, 20);
      let count = 0;
      for (const { trace } of ranks.ranks) count += (await ask(own, `traces/${trace}/search?q=${encodeURIComponent(text)}&limit=1`)).count;
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await waitFor(async () => (await page.locator('.found').innerText()).replace(/,/g, '').includes(String(count)), `${count} hits`);
      await page.locator('#tab-ranks').click();
      await settle(page);
      const before = await viewOf(page);
      await page.getByRole('region', { name: 'Clocks of the ranks' }).locator('tbody button').nth(1).click();
      await waitFor(async () => (await hashOf(page)).get('t') === String(ranks.ranks[1].trace), 'the rank alone');
      await settle(page);
      const after = await viewOf(page);
      assert(Math.abs(after.end - after.start - (before.end - before.start)) < (before.end - before.start) / 10, 'as much time is seen');
    }),

  'axe finds nothing where ranks are shown together, nor is anything wider than 390 px': (context) =>
    withRanks(context, { ranks: 3, alsoReal: true }, async (own) => {
      for (const scheme of ['light', 'dark']) {
        const page = await openAll(Object.assign(own, { scheme, viewport: { width: 390, height: 844 } }));
        for (const panel of ['ranks', 'selection', 'search']) {
          await page.locator(`#tab-${panel}`).click();
          if (panel === 'selection') {
            const ruler = await page.locator('.tl-ruler').boundingBox();
            await page.mouse.move(ruler.x + 60, ruler.y + 32);
            await page.mouse.down();
            await page.mouse.move(ruler.x + 140, ruler.y + 32, { steps: 3 });
            await page.mouse.up();
            await page.getByRole('region', { name: 'Ranks in the selected time' }).waitFor();
          }
          await page.waitForTimeout(500);
          await check(page, `${scheme} ${panel}`, scheme);
          assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${panel} is wider than the screen`);
        }
      }
    }),

  'ranks whose clocks do not agree stay tabs, and it is said why': (context) =>
    withRanks(context, { ranks: 2, aligned: false }, async (own, ranks) => {
      const page = await openPage(own, '#t=all');
      context.pages.push(page);
      await waitFor(async () => (await page.locator('.banner').innerText()).includes(ranks.reason), 'why they are not shown together');
      equal(await page.locator('#trace-all').count(), 0, 'no tab for all');
      equal(await page.locator('.banner b').count(), 0, 'the reason is text');
      await waitFor(async () => (await hashOf(page)).get('t') === '0', 'the first is shown');
    }),

  '64 ranks with 5,000 streams': (context) =>
    withRanks(context, { ranks: 64, streams: 75 }, async (own) => {
      let asked = 0;
      let open = 0;
      let most = 0;
      const page = await own.browser.newPage({ viewport: { width: 1280, height: 800 } });
      context.pages.push(page);
      const ended = () => void open--;
      page.on('request', () => void (asked++, open++, (most = Math.max(most, open))));
      page.on('requestfinished', ended);
      page.on('requestfailed', ended);
      page.on('pageerror', (error) => context.errors.push(`page: ${error.message}`));
      const began = Date.now();
      await page.goto(`${own.base}#t=all`);
      await page.waitForSelector('.tl-labels .track-label', { timeout: 30_000 });
      await page.waitForTimeout(1500);
      assert(Date.now() - began < 30_000, `opened after ${Date.now() - began} ms`);
      assert((await page.locator('.tl-labels li').count()) < 300, 'only labels near the view are elements');
      assert(asked < 600, `${asked} requests until all is there`);
      const before = asked;
      for (let i = 0; i < 10; i++) {
        await page.keyboard.press('w');
        await page.locator('.tl-body').evaluate((body) => (body.scrollTop += 4000));
        await page.waitForTimeout(60);
      }
      await settle(page);
      assert(asked - before < 600, `${asked - before} requests for ten steps through it`);
      assert(most <= 30, `${most} requests at once`);
      assert(await page.getByRole('button', { name: /all 64 ranks/ }).isVisible(), 'numbers of so many ranks are worked out when asked for');
    }),
};
