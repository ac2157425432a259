// Panels and searches follow the selected range, and say so.

import { ask, assert, becomes, hashOf, settle, waitFor } from './harness.mjs';
import { formatDuration, formatPart } from './units.mjs';

const panel = (page) => page.locator('#panel');
const rangeText = (page) => page.locator('#panel .tools').first();

// A later part of the recording: most names have events before it.
async function laterPart(context) {
  const { start_ns: start, end_ns: end } = await ask(context, 'traces/0/tracks');
  const length = Number(end - start);
  const range = { from: Math.round(length * 0.2), to: Math.round(length * 0.5) };
  return { ...range, start, link: `r=${range.from},${range.to}`, query: `range=${start + BigInt(range.from)}:${start + BigInt(range.to)}` };
}

// When the selected event begins, counted from the recording's start.
async function selectedStart(context, page, start) {
  let event;
  await waitFor(async () => (event = (await hashOf(page)).get('e')), 'an event is selected');
  const [kind, row] = event.split(':');
  return Number((await ask(context, `traces/0/event?kind=${kind}&row=${row}`)).start_ns - start);
}

export const ranges = {
  async 'panels follow the selected range, and say so'(context) {
    const range = await laterPart(context);
    const page = await context.open(`#t=0&p=kernels&${range.link}`);
    const words = `of the selected ${formatDuration(range.to - range.from)}`;
    const follows = { kernels: 'kernels', ops: 'ops', parts: 'parts', idle: 'idle', roofline: 'roofline', flame: 'flame', memory: 'memory' };
    for (const [id, verb] of Object.entries(follows)) {
      const asked = page.waitForRequest((request) => request.url().includes(`/documents/${verb}?`) && request.url().includes(range.query), { timeout: 60_000 });
      await page.locator(`#tab-${id}`).click();
      await waitFor(async () => (await panel(page).innerText()).includes(words), `${id} says of what it is`);
      if (id !== 'kernels') await asked; // the first is asked for while the page opens
      else asked.catch(() => undefined);
    }
    for (const id of ['report', 'steps']) {
      await page.locator(`#tab-${id}`).click();
      await becomes(() => rangeText(page).innerText(), 'of the whole recording', `${id} says of what it is`);
    }
    await page.locator('#tab-kernels').click();
    const made = await ask(context, `traces/0/documents/kernels?${range.query}`);
    await waitFor(async () => (await panel(page).innerText()).includes(`work ${formatDuration(made.gpu_work_ns)}`), 'kernels have the numbers of the range');
    await page.keyboard.press('Escape');
    const whole = await ask(context, 'traces/0/documents/kernels');
    await waitFor(async () => (await panel(page).innerText()).includes(`work ${formatDuration(whole.gpu_work_ns)}`), 'and of the whole recording without one');
    await page.locator('#tab-report').click();
    await page.waitForSelector('.verdict');
    assert(!(await panel(page).innerText()).includes('of the whole recording'), 'without a range that need not be said');
  },

  async 'a gap that is chosen leaves the list of gaps as it is'(context) {
    const page = await context.open('#t=0&p=idle');
    const gaps = page.getByRole('region', { name: /^Largest gaps/ }).first();
    await gaps.waitFor();
    const count = await gaps.locator('tbody tr').count();
    await gaps.locator('tbody .link').first().click();
    await waitFor(async () => (await hashOf(page)).has('r'), 'the gap is selected');
    await waitFor(async () => (await gaps.locator('tr[aria-current]').count()) === 1, 'it is marked in the list');
    await settle(page);
    await becomes(() => gaps.locator('tbody tr').count(), count, 'gaps');
    await becomes(() => rangeText(page).innerText(), 'of the whole recording', 'of what they are');
  },

  async 'a kernel or op of a range is found in the range'(context) {
    const range = await laterPart(context);
    for (const [id, name] of [['selection', 'Kernels of the range'], ['selection', 'Ops'], ['kernels', 'Kernels'], ['ops', 'Ops']]) {
      const page = await context.open(`#t=0&v=0,${range.from}&p=${id}&${range.link}`);
      const table = page.getByRole('region', { name, exact: true });
      await table.locator('tbody .link').first().click();
      const at = await selectedStart(context, page, range.start);
      assert(at >= range.from && at < range.to, `${id}: the hit begins at ${at}, the range is ${range.link}`);
      assert((await hashOf(page)).get('r') === `${range.from},${range.to}`, 'the range stays selected');
    }
  },

  async 'a search begins at what is selected, and leaves its box'(context) {
    const range = await laterPart(context);
    const kernels = await ask(context, `traces/0/documents/kernels?${range.query}`);
    const text = kernels.rows[0].name.slice(0, 20);
    const page = await context.open(`#t=0&v=0,${range.from}&p=kernels&${range.link}`);
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    const at = await selectedStart(context, page, range.start);
    assert(at >= range.from && at < range.to, `the first hit begins at ${at}, the range is ${range.link}`);
    const box = page.locator('#search');
    await waitFor(() => box.evaluate((one) => document.activeElement !== one), 'the box is left');
    await becomes(() => box.inputValue(), text, 'its text');
    await settle(page);
    const before = await page.evaluate(() => location.hash);
    await page.keyboard.press('w');
    await settle(page);
    assert((await page.evaluate(() => location.hash)) !== before, 'keys are the timeline\u2019s');
    await becomes(() => box.inputValue(), text, 'its text is kept');
  },

  async 'the head has the part of the recording that is seen'(context) {
    const page = await context.open();
    const { start_ns: start, end_ns: end } = await ask(context, 'traces/0/tracks');
    await becomes(async () => (await page.locator('.tl-corner').innerText()).replace(/\s+/g, ' ').trim(), `${formatDuration(Number(end - start))} from 0 ns`, 'what is seen');
  },

  async 'the bar of busy and idle has its colours in the table'(context) {
    const page = await context.open('#t=0&p=idle');
    const table = page.getByRole('region', { name: /^Busy and idle by class/ }).first();
    await table.waitFor();
    const [device] = (await ask(context, 'traces/0/documents/idle?limit=1')).devices;
    const bare = (text) => text.replace(/\s/g, '');
    assert(bare(await table.locator('tbody tr').first().innerText()).startsWith(bare(`busy ${formatDuration(device.busy_ns)}`)), 'busy stands first');
    const bar = page.locator('.timebar').first();
    assert((await bar.getAttribute('aria-label')).includes(`busy ${formatPart(device.busy_ns, device.window_ns)}`), 'the bar is told');
    const colours = (locator) => locator.evaluateAll((list) => list.map((one) => getComputedStyle(one).backgroundColor).sort());
    await becomes(() => colours(table.locator('.swatch')), await colours(bar.locator('.seg')), 'colours');
  },
};
