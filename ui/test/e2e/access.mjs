// Whether everything can be reached with the keyboard, has a name, and can be read.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { assert, becomes, settle, waitFor } from './harness.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

// The dark theme has other colours, and nothing else.
export async function check(page, what, scheme = 'light') {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const runOnly = scheme === 'dark' ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: all };
  const found = await page.evaluate((options) => window.axe.run(document, options), { resultTypes: ['violations'], runOnly });
  const lines = found.violations.map((one) => `${what}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`).join('; ')}`);
  assert(!lines.length, lines.join('\n'));
}

async function eachPanel(context, scheme) {
  const page = await context.open('', { scheme });
  await page.waitForSelector('.verdict');
  for (const id of await page.locator('.tabs button').evaluateAll((tabs) => tabs.map((tab) => tab.id))) {
    await page.locator(`#${id}`).click();
    await page.waitForTimeout(400);
    await check(page, `${scheme} ${id}`, scheme);
  }
  const canvas = await page.locator('.tl-ruler').boundingBox();
  await page.mouse.move(canvas.x + 200, canvas.y + 30);
  await page.mouse.down();
  await page.mouse.move(canvas.x + 500, canvas.y + 30, { steps: 3 });
  await page.mouse.up();
  await page.waitForSelector('.figures');
  await page.waitForTimeout(600);
  await check(page, `${scheme} range`, scheme);
  await page.locator('.track-label button.cut', { hasText: /^stream/ }).first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.event h2');
  await page.waitForTimeout(500);
  await check(page, `${scheme} event`, scheme);
  await page.keyboard.press('?');
  await check(page, `${scheme} keys`, scheme);
}

export const access = {
  'axe finds nothing, in each panel, light': (context) => eachPanel(context, 'light'),
  'axe finds nothing, in each panel, dark': (context) => eachPanel(context, 'dark'),

  async 'every stop of Tab has a name and shows its focus'(context) {
    const page = await context.open();
    await page.waitForSelector('.verdict');
    const seen = new Set();
    for (let i = 0; i < 120; i++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const style = getComputedStyle(element);
        const labelled = element.getAttribute('aria-labelledby');
        const name = element.getAttribute('aria-label') ?? (labelled ? document.getElementById(labelled)?.textContent : null) ?? element.textContent;
        const box = element.getBoundingClientRect();
        return {
          what: `${element.tagName} ${element.className} ${element.id}`.slice(0, 80),
          name: (name ?? '').trim().slice(0, 40),
          shown: style.outlineStyle !== 'none' || element.classList.contains('splitter'),
          inside: box.width > 0 && box.right > 0 && box.left < innerWidth,
        };
      });
      if (!stop) break;
      assert(stop.name, `${stop.what} has no name`);
      assert(stop.shown, `${stop.what} does not show that it has the focus`);
      assert(stop.inside, `${stop.what} is out of sight`);
      seen.add(stop.what);
    }
    for (const part of ['search', 'tl-canvas', 'splitter', 'tab-', 'panel']) {
      assert([...seen].some((what) => what.includes(part)), `Tab reaches ${part}`);
    }
  },

  async 'arrows go through the tracks, close and squeeze them'(context) {
    const page = await context.open();
    const count = () => page.locator('.track-label').count();
    const all = await count();
    await page.locator('.group-label button').first().focus();
    await page.keyboard.press('ArrowLeft');
    await waitFor(async () => (await count()) < all, 'left closes a group');
    await page.keyboard.press('ArrowRight');
    await becomes(count, all, 'right opens it');
    await page.keyboard.press('ArrowDown');
    // The focus moves when the list has been drawn.
    await waitFor(async () => (await page.evaluate(() => document.activeElement?.closest('li')?.className)) === 'track-label', 'down goes to the track');
  },

  async 'the keyboard alone selects an event'(context) {
    const page = await context.open();
    await settle(page);
    await page.locator('.track-label button').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.event h2');
    await waitFor(async () => (await page.locator('#selected-text').innerText()).startsWith('Selected: '), 'it is told');
  },
};
