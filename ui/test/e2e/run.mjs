// End-to-end tests of the page: `npm run e2e [PART OF A NAME]`. They bring the mock server along, or take the server at BASE_URL; then
// they compare what is shown with what that server says.

import { chromium } from 'playwright-core';
import { access, check } from './access.mjs';
import { diffs } from './diff.mjs';
import { ask, assert, becomes, coloursOf, equal, hashOf, openPage, runAll, settle, viewOf, waitFor } from './harness.mjs';
import { ranges } from './ranges.mjs';
import { rankTests } from './ranks.mjs';
import { formatCount, formatDuration, formatPart } from './units.mjs';
import { words } from './words.mjs';

const panel = (page) => page.locator('#panel');

async function aKernel(context) {
  const kernels = await ask(context, 'traces/0/documents/kernels');
  for (const row of kernels.rows) {
    const found = await ask(context, `traces/0/search?q=${encodeURIComponent(row.name.slice(0, 500))}&regex=0&limit=20`);
    for (const hit of found.hits.filter((one) => one.kind === 'gpu').slice(-3)) {
      const event = await ask(context, `traces/0/event?kind=gpu&row=${hit.row}`);
      if (event.launched_by) return event;
    }
  }
  throw new Error('the trace has no kernel with a launch');
}

async function origin(context) {
  return (await ask(context, 'traces/0/tracks')).start_ns;
}

// A link to a view around an event, in which it is 10 % wide.
function around(event, start) {
  const from = Number(event.start_ns - start);
  const air = Math.max(100, event.duration_ns * 4.5);
  return `#t=0&v=${from - air},${from + event.duration_ns + air}`;
}

async function pixelOf(page, event, start) {
  const view = await viewOf(page);
  await page.locator(`[data-track="${event.track}"]`).evaluate((label) => label.scrollIntoView({ block: 'center' }));
  await page.waitForTimeout(400); // a track that comes into view is fetched
  return page.evaluate(
    ({ track, depth, middle, view }) => {
      const canvas = document.querySelector('.tl-canvas').getBoundingClientRect();
      const label = document.querySelector(`[data-track="${track}"]`);
      const box = label.getBoundingClientRect();
      const row = Number(label.dataset.rowHeight);
      return { x: canvas.left + ((middle - view.start) / (view.end - view.start)) * canvas.width, y: box.top + Number(label.dataset.top) + (depth + 0.5) * row };
    },
    { track: event.track, depth: event.depth, middle: Number(event.start_ns - start) + event.duration_ns / 2, view },
  );
}

// The longest first, so that none is left over at the end.
const tests = {
  ...access,

  async 'opens with verdict and tracks'(context) {
    const page = await context.open();
    const report = await ask(context, 'traces/0/documents/report');
    await waitFor(async () => (await page.locator('.verdict').innerText()) === report.verdict, 'the verdict is shown');
    const tracks = await ask(context, 'traces/0/tracks');
    await becomes(() => page.locator('.tl-labels .group-label').count(), tracks.groups.length, 'groups');
    await becomes(() => page.locator('.findings .finding').count(), report.findings.length, 'findings');
    assert(!(await page.title()).includes('owned'), 'markup in names is text');
  },

  async 'draws something on the canvas'(context) {
    const page = await context.open();
    await waitFor(async () => (await coloursOf(page)) > 12, 'events have colours');
  },

  async 'zooms and pans by keys'(context) {
    const page = await context.open('', { motion: true });
    await settle(page);
    const all = await viewOf(page);
    await page.keyboard.press('w');
    await page.keyboard.press('w');
    await settle(page);
    const near = await viewOf(page);
    assert(near.end - near.start < (all.end - all.start) * 0.7, 'W shows less');
    await page.keyboard.press('d');
    await settle(page);
    const right = await viewOf(page);
    assert(right.start > near.start, 'D goes right');
    await page.keyboard.press('ArrowLeft');
    await settle(page);
    assert((await viewOf(page)).start < right.start, 'the arrow goes left');
    await page.keyboard.press('s');
    await settle(page);
    const far = await viewOf(page);
    assert(far.end - far.start > near.end - near.start, 'S shows more');
    await page.keyboard.press('0');
    await becomes(() => viewOf(page), all, '0 shows the whole trace');
  },

  async 'zooms with the wheel about the pointer'(context) {
    const page = await context.open();
    await settle(page);
    const before = await viewOf(page);
    const canvas = await page.locator('.tl-canvas').boundingBox();
    await page.mouse.move(canvas.x + canvas.width / 4, canvas.y + 60);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await settle(page);
    const after = await viewOf(page);
    const at = (view) => view.start + (view.end - view.start) / 4;
    assert(after.end - after.start < before.end - before.start, 'shows less');
    assert(Math.abs(at(after) - at(before)) < (after.end - after.start) / 100, 'the time under the pointer stays');
    await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + 60);
    await page.mouse.down();
    await page.mouse.move(canvas.x + canvas.width / 2 - 200, canvas.y + 60, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    assert((await viewOf(page)).start > after.start, 'a drag pans');
  },

  async 'selects a kernel by a click, follows its arrow to the op, and back'(context) {
    const event = await aKernel(context);
    const start = await origin(context);
    const page = await context.open(around(event, start));
    await settle(page);
    await page.waitForTimeout(500);
    const { x, y } = await pixelOf(page, event, start);
    await page.mouse.click(x, y);
    await waitFor(async () => (await hashOf(page)).get('e') === `gpu:${event.row}`, 'the kernel is selected');
    await waitFor(async () => (await panel(page).innerText()).includes(formatDuration(event.duration_ns)), 'its duration is shown');
    assert((await page.locator('.event h2').innerText()).length > 0, 'its name is shown');
    const same = await ask(context, `traces/0/same?kind=gpu&row=${event.row}`);
    await waitFor(async () => (await page.locator('.elsewhere').innerText()).includes(formatDuration(same.total_ns)), 'its like is counted');
    await page.keyboard.press('[');
    await waitFor(async () => (await hashOf(page)).get('e') === `host:${event.launched_by.row}`, '[ leads to the launching call');
    const call = await ask(context, `traces/0/event?kind=host&row=${event.launched_by.row}`);
    if (call.parents[0]) {
      await page.keyboard.press('[');
      await waitFor(async () => (await hashOf(page)).get('e') === `host:${call.parents[0].row}`, '[ leads on to the op');
      await page.goBack();
      await waitFor(async () => (await hashOf(page)).get('e') === `host:${call.row}`, 'back is back');
      await page.waitForTimeout(300);
    }
    await page.keyboard.press(']');
    await waitFor(async () => (await hashOf(page)).get('e') === `gpu:${call.launches.first[0].row}`, '] leads to what it launched');
    await page.keyboard.press('Escape');
    await waitFor(async () => (await hashOf(page)).get('e') === null, 'Escape selects nothing');
  },

  async 'goes back from an event that was slow to come'(context) {
    const event = await aKernel(context);
    const page = await context.open(`${around(event, await origin(context))}&e=gpu:${event.row}`);
    await waitFor(async () => (await panel(page).innerText()).includes(formatDuration(event.duration_ns)), 'the linked event is shown');
    // Longer than the page waits before it writes its state into the address.
    await page.route(/\/event\?/, async (route) => {
      await new Promise((done) => setTimeout(done, 800));
      await route.continue();
    });
    await page.keyboard.press('[');
    await waitFor(async () => (await hashOf(page)).get('e') === `host:${event.launched_by.row}`, '[ leads to the launching call');
    await page.waitForTimeout(1000);
    await page.goBack();
    await waitFor(async () => (await hashOf(page)).get('e') === `gpu:${event.row}`, 'back is back');
    await waitFor(async () => (await panel(page).innerText()).includes(formatDuration(event.duration_ns)), 'the event before is shown');
    await page.waitForTimeout(500);
    equal((await hashOf(page)).get('e'), `gpu:${event.row}`, 'it stays');
  },

  async 'walks from event to event'(context) {
    const event = await aKernel(context);
    const page = await context.open(`#t=0&e=gpu:${event.row}`);
    await page.waitForSelector('.event h2');
    await page.keyboard.press('.');
    await waitFor(async () => (await hashOf(page)).get('e') !== `gpu:${event.row}`, 'the next is another');
    await page.waitForTimeout(300);
    await page.keyboard.press(',');
    await waitFor(async () => (await hashOf(page)).get('e') === `gpu:${event.row}`, 'the previous of the next is the first');
  },

  async 'a step has the numbers of the documents'(context) {
    const steps = await ask(context, 'traces/0/documents/steps');
    const step = steps.rows[Math.min(1, steps.rows.length - 1)];
    const page = await context.open('#t=0&p=steps');
    await page.getByRole('button', { name: step.name, exact: true }).first().click();
    const range = `${step.start_ns}:${step.start_ns + BigInt(step.wall_ns)}`;
    const idle = await ask(context, `traces/0/documents/idle?range=${range}&limit=5`);
    const kernels = await ask(context, `traces/0/documents/kernels?range=${range}`);
    await waitFor(async () => (await page.locator('.range .figures').count()) === idle.devices.length, 'each device has its figures');
    for (const [i, device] of idle.devices.entries()) {
      const text = (await page.locator('.range .figures').nth(i).innerText()).replace(/\s+/g, ' ');
      for (const [name, value] of [['wall', device.window_ns], ['busy', device.busy_ns], ['idle', device.idle_ns]]) {
        const [number, unit] = formatDuration(value).split(' ');
        assert(new RegExp(`\\b${name} ${number.replace('.', '\\.')} ?${unit}`).test(text), `${name} of device ${device.device} is ${number} ${unit}: ${text}`);
      }
    }
    equal(idle.devices.find((device) => device.device === step.device).busy_ns, step.busy_ns, 'the documents agree on busy');
    const table = page.getByRole('region', { name: 'Kernels of the range' });
    await table.waitFor();
    const top = [...kernels.rows].sort((a, b) => b.total_ns - a.total_ns)[0];
    const first = (await table.locator('tbody tr').first().innerText()).replace(/[\s,]+/g, ' ');
    for (const value of [formatDuration(top.total_ns), formatCount(top.calls).replace(',', ' ')]) {
      assert(first.replace(/ /g, '').includes(value.replace(/ /g, '')), `the first kernel has ${value}: ${first}`);
    }
    equal((await hashOf(page)).get('r')?.split(',').map(Number).reduce((a, b) => b - a), step.wall_ns, 'the address holds the range');
  },

  async 'drags a range'(context) {
    const page = await context.open('', { motion: true });
    await settle(page);
    const box = await page.locator('.tl-ruler').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 32);
    await page.mouse.down();
    await page.mouse.move(box.x + 600, box.y + 32, { steps: 5 });
    await page.mouse.up();
    await waitFor(async () => (await hashOf(page)).has('r'), 'the ruler selects');
    const view = await viewOf(page);
    const canvas = await page.locator('.tl-canvas').boundingBox();
    const time = (x) => view.start + (x / canvas.width) * (view.end - view.start);
    const [from, to] = (await hashOf(page)).get('r').split(',').map(Number);
    assert(Math.abs(from - time(300)) < (view.end - view.start) / 300 && Math.abs(to - time(600)) < (view.end - view.start) / 300, `from ${from} to ${to}`);
    await page.keyboard.down('Shift');
    await page.mouse.move(canvas.x + 100, canvas.y + 50);
    await page.mouse.down();
    await page.mouse.move(canvas.x + 200, canvas.y + 90, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await waitFor(async () => Number((await hashOf(page)).get('r').split(',')[0]) < from, 'Shift + drag selects');
    await page.keyboard.press('f');
    await waitFor(async () => {
      const fitted = await viewOf(page);
      return fitted.end - fitted.start < (view.end - view.start) / 4;
    }, 'F fits the range');
  },

  async 'marks'(context) {
    const page = await context.open();
    await settle(page);
    await page.keyboard.press('m');
    await waitFor(async () => (await hashOf(page)).get('m'), 'M marks');
    await page.keyboard.press('Shift+M');
    await waitFor(async () => !(await hashOf(page)).get('m'), 'Shift + M removes');
  },

  async 'searches'(context) {
    const page = await context.open();
    const kernels = await ask(context, 'traces/0/documents/kernels');
    const text = kernels.rows[0].name.slice(0, 20);
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    const answer = await ask(context, `traces/0/search?q=${encodeURIComponent(text)}&regex=0&limit=1000`);
    await waitFor(async () => (await page.locator('.found').innerText()).includes(formatCount(answer.count)), 'the count is shown');
    await waitFor(async () => (await hashOf(page)).get('e'), 'a hit is selected');
    const first = (await hashOf(page)).get('e');
    await page.keyboard.press('Enter');
    if (answer.count > 1) await waitFor(async () => (await hashOf(page)).get('e') !== first, 'Enter goes to the next');
    await page.keyboard.press('Shift+Enter');
    await waitFor(async () => (await hashOf(page)).get('e') === first, 'Shift + Enter goes back');
    await page.locator('.found').click();
    await page.getByRole('region', { name: 'Hits' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await becomes(() => page.locator('.found').count(), 0, 'Escape in the field ends the search');
    const bad = `traces/0/search?q=${encodeURIComponent('(')}&regex=1&limit=1`;
    equal((await fetch(`${context.base}api/v1/${bad}`)).status, 400, 'a broken pattern is refused');
  },

  async 'a finding leads to its evidence'(context) {
    const page = await context.open();
    const report = await ask(context, 'traces/0/documents/report');
    await page.waitForSelector('.verdict');
    const placed = report.findings.find((finding) => finding.places?.length);
    if (placed) {
      const start = await origin(context);
      await page.locator('.finding').nth(report.findings.indexOf(placed)).getByRole('button', { name: /^Show/ }).first().click();
      await waitFor(async () => Number((await hashOf(page)).get('r')?.split(',')[0]) === Number(placed.places[0].start_ns - start), 'its place is selected');
    } else if (await page.locator('.finding .jumps button').count()) {
      await page.locator('.finding .jumps button').first().click();
      await waitFor(async () => (await page.locator('.tabs [aria-selected=true]').innerText()) !== 'Report', 'its panel is shown');
    }
  },

  async 'gaps jump'(context) {
    const page = await context.open('#t=0&p=idle');
    const gaps = page.getByRole('region', { name: /^Largest gaps/ }).first();
    await gaps.waitFor();
    await gaps.locator('tbody .link').first().click();
    await waitFor(async () => (await hashOf(page)).has('r'), 'the gap is selected');
  },

  async 'flame graphs: zoom, back, marks, range, and the timeline'(context) {
    const page = await context.open('#t=0&p=flame');
    const tree = page.getByRole('tree', { name: 'Frames' });
    const gpu = await ask(context, 'traces/0/documents/flame?by=gpu');
    const kernels = await ask(context, 'traces/0/documents/kernels');
    equal(gpu.total_ns, kernels.gpu_work_ns, 'GPU time is that of kernels');
    await tree.waitFor();
    const outermost = gpu.frames.filter((frame) => frame.parent === null);
    await waitFor(async () => (await tree.locator('[aria-level="1"]').count()) > 0, 'frames are drawn');
    const largest = await tree.locator('[aria-level="1"]').first().getAttribute('aria-label');
    assert(largest.endsWith(`${formatDuration(outermost[0].total_ns)}, ${formatPart(outermost[0].total_ns, gpu.total_ns)}`), `time and share are told: ${largest}`);
    // By keyboard: in and out.
    await tree.locator('[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    await waitFor(async () => ![null, largest].includes(await focused()), 'down goes into a frame');
    const inner = await focused();
    await page.keyboard.press('Enter');
    await waitFor(async () => (await tree.locator('[aria-level="1"]').first().getAttribute('aria-label')) === inner, 'Enter zooms');
    assert((await page.locator('.crumbs button').count()) >= 3, 'the way back is shown');
    await page.keyboard.press('Escape');
    await waitFor(async () => (await tree.locator('[aria-level="1"]').first().getAttribute('aria-label')) === largest, 'Escape goes back');
    await page.locator('.crumbs button').first().click();
    await waitFor(async () => (await page.locator('.crumbs button').count()) === 1, 'the first crumb shows all');
    // By mouse.
    await tree.locator('[aria-level="2"]').first().click();
    await waitFor(async () => (await page.locator('.crumbs button').count()) === 3, 'a click zooms');
    await tree.locator('[aria-level="1"]').first().hover();
    await waitFor(async () => (await page.locator('.icicle .tip').innerText()).includes('% of all'), 'the tip has the share');
    await page.locator('.crumbs button').first().click();
    // Marks.
    const text = kernels.rows[0].name.slice(0, 24);
    await page.getByLabel('Mark frames').fill(text);
    await waitFor(async () => (await tree.locator('.marked').count()) > 0, 'frames are marked');
    // To the timeline.
    await tree.locator('.marked').first().focus();
    await page.getByRole('button', { name: /^Find on the timeline/ }).click();
    await waitFor(async () => (await hashOf(page)).get('q')?.length > 0 && (await hashOf(page)).get('e'), 'its events are found');
    // Host time of a range.
    const steps = await ask(context, 'traces/0/documents/steps');
    const start = await origin(context);
    const step = steps.rows[0];
    if (step) {
      const from = Number(step.start_ns - start);
      const other = await context.open(`#t=0&p=flame&f=host.split&r=${from},${from + step.wall_ns}`);
      const host = await ask(context, `traces/0/documents/flame?by=host&split=1&range=${step.start_ns}:${step.start_ns + BigInt(step.wall_ns)}`);
      const first = host.frames.find((frame) => frame.parent === null);
      await waitFor(async () => (await other.getByRole('tree', { name: 'Frames' }).locator('[aria-level="1"]').first().getAttribute('aria-label'))?.includes(formatDuration(first.total_ns)), 'the range is followed');
      await other.getByRole('radio', { name: 'GPU time' }).check();
      await waitFor(async () => (await hashOf(other)).get('f') === 'gpu.split', 'the address holds the choice');
    }
  },

  async 'memory: the peak is shown in the timeline, copies are those of the document'(context) {
    const page = await context.open('#t=0&p=memory');
    const made = await ask(context, 'traces/0/documents/memory').catch(() => null);
    if (!made) { // the recording says nothing of it
      await waitFor(async () => (await panel(page).innerText()).includes('says nothing of memory'), 'that is said');
      return;
    }
    const table = page.getByRole('region', { name: 'Memory in use' });
    await table.waitFor();
    await becomes(() => table.locator('tbody tr').count(), made.usage.length, 'counters of memory');
    await becomes(() => page.getByRole('region', { name: 'Copies and sets' }).locator('tbody tr').count(), made.copies.length, 'copies');
    await becomes(() => page.getByRole('region', { name: 'Allocation calls' }).locator('tbody tr').count(), made.calls.length, 'calls');
    if (made.usage.length) {
      const start = await origin(context);
      await table.locator('tbody .link').first().click();
      await waitFor(async () => (await hashOf(page)).get('m') === String(Number(made.usage[0].start_ns - start)), 'the peak is marked');
      const at = Number(made.usage[0].start_ns - start);
      await waitFor(async () => {
        const view = await viewOf(page);
        return view.start <= at && at <= view.end;
      }, 'the peak is in view');
    }
    if (made.copies.some((copies) => copies.longest_row !== null)) {
      await page.getByRole('region', { name: 'Copies and sets' }).locator('tbody .link').first().click();
      await waitFor(async () => (await hashOf(page)).get('e')?.startsWith('gpu:'), 'the longest copy is selected');
    }
  },

  async 'busy share and queue depth stand before the streams'(context) {
    const page = await context.open();
    const { groups, start_ns: start, end_ns: end } = await ask(context, 'traces/0/tracks');
    const device = groups.find((group) => group.kind === 'device');
    equal(device.tracks[0].name, 'busy share', 'the first track');
    equal([device.tracks[0].unit, device.tracks[0].max], ['%', 100], 'in percent');
    const labels = await page.locator('.tl-labels li').allInnerTexts();
    const at = labels.findIndex((text) => text.includes(device.name));
    assert(labels[at + 1].includes('busy share'), `below the device: ${labels[at + 1]}`);
    if (context.mock) return; // its share is one of every 20 us
    // In one pixel it is what `idle` says of the capture.
    const idle = (await ask(context, 'traces/0/documents/idle?limit=1')).devices.find((one) => String(one.device) === device.id);
    const answer = await fetch(`${context.base}api/v1/traces/0/tile?track=${device.tracks[0].track}&start=${start}&end=${end}&px=1`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    equal(bytes.readUInt32LE(12), 1, 'points');
    assert(Math.abs(bytes.readDoubleLE(16 + 24) - (100 * idle.busy_ns) / idle.window_ns) < 1e-9, 'the share');
  },

  async 'counters of a kernel stand beside its facts'(context) {
    const page = await context.open();
    const { reports } = await ask(context, 'state');
    if (!reports.some((one) => one.status === 'ready')) return; // no counter report is given
    if (!(await ask(context, 'traces/0/documents/report')).counters.matched.length) return; // of another program
    const kernels = await ask(context, 'traces/0/documents/kernels');
    for (const row of kernels.rows) {
      const found = await ask(context, `traces/0/search?q=${encodeURIComponent(row.name.slice(0, 300))}&limit=1000`);
      for (const hit of found.hits.filter((one) => one.kind === 'gpu').slice(0, 20)) {
        const event = await ask(context, `traces/0/event?kind=gpu&row=${hit.row}`);
        if (!event.counters) continue;
        const other = await context.open(`#t=0&e=gpu:${hit.row}&p=selection`);
        await other.locator('.counters .why').waitFor();
        await becomes(() => other.locator('.counters .why').innerText(), event.counters.verdict, 'the verdict');
        await becomes(() => other.locator('.counters .finding').count(), event.counters.findings.length, 'findings');
        equal(await other.locator('.counters b, .counters i').count(), 0, 'markup is text');
        return;
      }
    }
    await page.close();
    throw new Error('a report matches, and no kernel has counters');
  },

  async 'an event as recorded'(context) {
    const event = await aKernel(context);
    const page = await context.open(`#t=0&e=gpu:${event.row}&p=selection`);
    await page.waitForSelector('.event h2');
    await page.locator('.recorded summary').click();
    const { text } = await ask(context, `traces/0/source?kind=gpu&row=${event.row}`);
    const bare = (shown) => shown.replace(/\s/g, '');
    await becomes(async () => bare(await page.locator('.recorded pre').innerText()), bare(text), 'the text of the file');
    await page.keyboard.press('.');
    await waitFor(async () => (await hashOf(page)).get('e') !== `gpu:${event.row}`, 'the next event');
    const next = await ask(context, `traces/0/source?kind=gpu&row=${(await hashOf(page)).get('e').split(':')[1]}`);
    await becomes(async () => bare(await page.locator('.recorded pre').innerText()), bare(next.text), 'stays open, and follows');
    await check(page, 'as recorded');
  },

  async 'the address brings everything back'(context) {
    const event = await aKernel(context);
    const start = await origin(context);
    const page = await context.open(`${around(event, start)}&e=gpu:${event.row}&m=5,77&p=selection&q=a`);
    await page.waitForSelector('.event h2');
    await settle(page);
    const before = await page.evaluate(() => location.hash);
    await page.reload();
    await page.waitForSelector('.event h2');
    await settle(page);
    equal(await page.evaluate(() => location.hash), before, 'the address');
    await waitFor(async () => (await page.locator('#selected-text').innerText()).startsWith('Selected: '), 'the selection is told');
  },

  async 'keys are listed, and close'(context) {
    const page = await context.open();
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    assert((await page.locator('dialog').innerText()).includes('fit the selection'), 'F is explained');
    await page.keyboard.press('Escape');
    await waitFor(async () => (await page.locator('dialog').count()) === 0, 'Escape closes');
  },

  async 'dark by preference and by choice'(context) {
    const page = await context.open('', { scheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    const theme = page.getByRole('button', { name: /^Theme/ });
    await theme.click();
    await waitFor(async () => (await ground()) !== dark, 'light is chosen');
    await page.reload();
    await page.waitForSelector('.track-label');
    assert((await ground()) !== dark, 'the choice is kept');
    await theme.click();
    await becomes(ground, dark, 'dark is chosen');
    const pixel = () => page.evaluate(() => [...document.querySelector('.tl-canvas').getContext('2d').getImageData(2, 2, 1, 1).data].slice(0, 3));
    await waitFor(async () => (await pixel()).every((channel) => channel < 80), 'the canvas is dark');
  },

  async 'works 390 px wide'(context) {
    const page = await context.open('', { viewport: { width: 390, height: 844 } });
    await page.waitForSelector('.verdict');
    for (const name of await page.locator('.tabs button').allInnerTexts()) {
      await page.locator('.tabs').getByRole('tab', { name, exact: true }).click();
      await page.waitForTimeout(120);
      const over = await page.evaluate(() => ({ page: document.documentElement.scrollWidth - innerWidth, body: document.body.scrollWidth - innerWidth }));
      assert(over.page <= 0 && over.body <= 0, `${name}: wider than the screen by ${over.page} px`);
    }
    const canvas = await page.locator('.tl-canvas').boundingBox();
    assert(canvas.width > 250 && canvas.x + canvas.width <= 390, `the canvas is ${canvas.width} px wide`);
  },

  async 'touch pans and pinches'(context) {
    const page = await context.open('', { viewport: { width: 390, height: 844 } });
    await settle(page);
    const all = await viewOf(page);
    const box = await page.locator('.tl-canvas').boundingBox();
    const client = await page.context().newCDPSession(page);
    const touch = (type, points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x: box.x + x, y: box.y + y, id })) });
    await touch('touchStart', [[100, 60], [160, 60]]);
    for (let i = 1; i <= 6; i++) await touch('touchMove', [[100 - i * 10, 60], [160 + i * 10, 60]]);
    await touch('touchEnd', []);
    await settle(page);
    const near = await viewOf(page);
    assert(near.end - near.start < (all.end - all.start) * 0.6, 'a pinch shows less');
    await touch('touchStart', [[200, 60]]);
    for (let i = 1; i <= 6; i++) await touch('touchMove', [[200 - i * 15, 60]]);
    await touch('touchEnd', []);
    await settle(page);
    assert((await viewOf(page)).start > near.start, 'a finger pans');
  },

  async 'several traces are tabs'(context) {
    const { traces } = await ask(context, 'state');
    const page = await context.open();
    await becomes(() => page.locator('.traces button:not(#trace-all)').count(), traces.length, 'tabs');
    const other = traces.find((trace) => trace.id !== 0 && trace.status === 'ready');
    if (other) {
      await page.locator(`#trace-${other.id}`).click();
      await waitFor(async () => (await hashOf(page)).get('t') === String(other.id), 'the other is shown');
      await page.waitForSelector('.track-label');
    }
    const failed = traces.find((trace) => trace.status === 'failed');
    if (failed) {
      await page.locator(`#trace-${failed.id}`).click();
      await becomes(() => page.locator('.reading').innerText(), failed.error, 'why it failed');
    }
  },

  async 'shows hostile names as text'(context) {
    if (!context.mock) return;
    const page = await context.open('#t=0&q=owned');
    await waitFor(async () => (await page.locator('.found').innerText()).length > 0, 'the search is done');
    await page.locator('.found').click();
    await page.getByRole('region', { name: 'Hits' }).waitFor();
    equal(await page.locator('#panel script, #panel img').count(), 0, 'elements made of names');
    for (const text of ['long_', 'emoji', 'reversed', 'quotes']) {
      await page.keyboard.press('/');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.waitForTimeout(350);
    }
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('long_');
    await page.keyboard.press('Enter');
    await page.locator('.tabs').getByRole('tab', { name: 'Selection' }).click();
    await waitFor(async () => (await page.locator('.event-name').innerText()).length > 9000, 'the whole of a long name is there');
    equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'a long name does not widen the page');
    assert(!(await page.title()).includes('owned'), 'nothing ran');
  },

  async 'two events of one ns can both be reached'(context) {
    if (!context.mock) return;
    const found = await ask(context, 'traces/0/search?q=of%20one%20ns&regex=0&limit=5');
    const start = await origin(context);
    const page = await context.open(around(found.hits[0], start));
    await settle(page);
    for (const hit of found.hits) {
      const { x, y } = await pixelOf(page, hit, start);
      await page.mouse.click(x, y);
      await waitFor(async () => (await hashOf(page)).get('e') === `host:${hit.row}`, `${hit.name} is selected`);
    }
  },

  async 'leaves room for a scrollbar'(context) {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'], ignoreDefaultArgs: ['--hide-scrollbars'] });
    const page = await openPage({ ...context, browser, lane: {}, viewport: { width: 900, height: 480 } });
    await page.waitForTimeout(300);
    const sizes = await page.evaluate(() => {
      const [body, canvas, head] = ['.tl-body', '.tl-canvas', '.tl-ruler'].map((one) => document.querySelector(one));
      const inside = body.getBoundingClientRect().left + body.clientWidth;
      return { bar: body.offsetWidth - body.clientWidth, canvas: canvas.getBoundingClientRect().right - inside, head: head.getBoundingClientRect().right - inside };
    });
    await browser.close();
    assert(sizes.bar > 0, 'there is a scrollbar');
    equal([sizes.canvas, sizes.head], [0, 0], 'canvases end where it begins');
  },

  async 'says so when the server goes away'(context) {
    const page = await context.open();
    await page.waitForSelector('.verdict');
    await page.route('**/api/v1/**', (route) => route.abort());
    for (let i = 0; i < 6; i++) await page.keyboard.press('w');
    await page.locator('.tl-error').waitFor();
    assert((await page.locator('.tl-error').innerText()).includes('still running'), 'what to do is said');
    await page.locator('#tab-ops').click();
    await waitFor(async () => (await panel(page).innerText()).includes('still running'), 'the panel says so too');
    await page.unroute('**/api/v1/**');
    await page.locator('#tab-kernels').click();
    await page.locator('#tab-ops').click();
    await page.getByRole('region', { name: 'Ops' }).waitFor();
    await page.waitForTimeout(3200); // a failed tile is asked for again after a while
    await page.keyboard.press('d');
    await page.locator('.tl-error').waitFor({ state: 'detached' });
    context.errors = context.errors.filter((error) => !error.includes('Failed to load resource'));
  },

  async 'opens a trace of very many tracks'(context) {
    const page = await context.browser.newPage({ viewport: { width: 1280, height: 800 } });
    context.pages.push(page);
    const tracks = Array.from({ length: 20_000 }, (_, track) => ({ track, name: `stream ${track}`, kind: 'stream', depths: 1, events: 0, unit: null, min: null, max: null }));
    await page.route('**/tracks', async (route) => {
      const real = await (await route.fetch()).json();
      await route.fulfill({ json: { ...real, groups: [{ name: 'GPU 0', kind: 'device', id: '0', tracks }] } });
    });
    await page.route('**/tile?*', (route) => {
      const empty = Buffer.alloc(16);
      empty.writeUInt32LE(0x54535754, 0);
      empty.writeUInt32LE(1, 4);
      return route.fulfill({ body: empty });
    });
    await page.goto(context.base);
    await page.waitForSelector('.track-label', { timeout: 20_000 });
    assert((await page.locator('.tl-labels li').count()) < 200, 'only labels near the view are elements');
    await page.locator('.group-label button').focus();
    await page.keyboard.press('End');
    await waitFor(async () => (await page.evaluate(() => document.activeElement.textContent)).startsWith('stream 19999'), 'End goes to the last');
    await page.keyboard.press('Home');
    await waitFor(async () => (await page.evaluate(() => document.activeElement.textContent)).includes('GPU 0'), 'Home to the first');
  },

  ...diffs,
  ...ranges,
  ...words,
  ...rankTests,
};

await runAll(tests);
