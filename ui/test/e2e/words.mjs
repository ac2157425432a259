// What the page says: of counter reports, of comparisons, of what is missing or refused; and how names and tables are cut.

import { check } from './access.mjs';
import { ask, assert, becomes, equal, hashOf, waitFor } from './harness.mjs';
import { formatDuration } from './units.mjs';

const panel = (page) => page.locator('#panel');
const phone = { viewport: { width: 390, height: 844 } };
const own = (name) => name.slice(name.lastIndexOf('/') + 1);

export const words = {
  async 'counter reports are told, whether they match or not'(context) {
    const { reports } = await ask(context, 'state');
    if (!reports.length) return;
    const page = await context.open('#t=0&p=report');
    const { counters } = await ask(context, 'traces/0/documents/report');
    const section = page.getByRole('region', { name: 'Counters', exact: true });
    await section.waitFor();
    for (const report of reports) {
      const matched = counters.matched.filter((kernel) => kernel.launches.some((launch) => launch.report === report.file)).length;
      await waitFor(async () => (await section.locator('.reports').innerText()).includes(`${own(report.file)}: ${matched} kernel`), `${report.file} matches ${matched}`);
    }
    for (const kernel of counters.matched.slice(0, 5)) await waitFor(async () => (await section.innerText()).includes(kernel.verdict), 'the verdict of a kernel');
    for (const kernel of counters.missing) await waitFor(async () => (await section.innerText()).includes(kernel.command), 'the command for a kernel');
    equal(await section.locator('.warning').count(), counters.matched.length ? 0 : 1, 'warnings');
    equal(await section.locator('b, i').count(), 0, 'markup is text');
    await page.locator('#tab-recording').click();
    for (const report of reports) await waitFor(async () => (await panel(page).innerText()).includes(own(report.file)), 'reports are listed in Recording');
    if (!context.mock) return;
    // None matches.
    await page.route('**/documents/report*', async (route) => {
      const real = await (await route.fetch()).json();
      await route.fulfill({ json: { ...real, counters: { ...real.counters, matched: [] } } });
    });
    await page.reload();
    await page.locator('#tab-report').click();
    await becomes(() => section.locator('.warning').innerText(), 'None of the profiled kernels is in the timeline.', 'that none matches');
    await check(page, 'counters');
  },

  async 'a recording without samples of memory says so'(context) {
    if (!context.mock) return;
    const page = await context.open();
    await page.route('**/documents/memory*', async (route) => {
      const real = await (await route.fetch()).json();
      await route.fulfill({ json: { ...real, usage: [] } });
    });
    await page.locator('#tab-memory').click();
    await waitFor(async () => (await panel(page).innerText()).includes('The recording has no samples of memory in use.'), 'that is said');
    equal(await page.getByRole('region', { name: 'Memory in use' }).count(), 0, 'tables of it');
    assert(!(await panel(page).innerText()).includes('warpsight record'), 'what made it is not advised again');
  },

  async 'a link to an event that is not there, and a pattern that is refused'(context) {
    const page = await context.open('#t=0&e=gpu:99999999');
    await becomes(() => panel(page).locator('.warning').innerText(), 'The linked event is not in this recording.', 'what is said');
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('(a');
    await page.keyboard.press('Enter');
    const found = page.locator('.found');
    await waitFor(async () => /^not searched: .{5}/.test(await found.innerText()), 'why it was refused');
    assert((await found.getAttribute('title')).startsWith('not searched: '), 'the whole reason is its title');
    assert(await page.locator('#search').evaluate((box) => box === document.activeElement), 'the box is not left');
    await waitFor(() => context.errors.length >= 2, 'the browser logs what is refused');
    context.errors = context.errors.filter((error) => !error.includes('status of 40'));
  },

  async 'Enter goes on through the hits after the box is left'(context) {
    const page = await context.open();
    const kernels = await ask(context, 'traces/0/documents/kernels');
    await page.keyboard.press('/');
    await page.keyboard.type(kernels.rows[0].name.slice(0, 20));
    await page.keyboard.press('Enter');
    await waitFor(async () => (await page.evaluate(() => document.activeElement.className)) === 'tl-canvas', 'the timeline has the focus');
    await waitFor(async () => (await hashOf(page)).get('e'), 'a hit is selected');
    const first = (await hashOf(page)).get('e');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await hashOf(page)).get('e') !== first, 'Enter goes to the next');
    await page.keyboard.press('Shift+Enter');
    await becomes(async () => (await hashOf(page)).get('e'), first, 'Shift + Enter goes back');
    // On a button it presses the button.
    await page.locator('#tab-kernels').focus();
    await page.keyboard.press('Enter');
    await becomes(() => page.locator('.tabs [aria-selected=true]').innerText(), 'Kernels', 'the panel');
    equal((await hashOf(page)).get('e'), first, 'the hit');
  },

  async 'names in tables are cut in the middle, and whole in their titles'(context) {
    const page = await context.open('#t=0&p=kernels', phone);
    const kernels = await ask(context, 'traces/0/documents/kernels');
    const link = page.getByRole('region', { name: 'Kernels' }).locator('tbody .link');
    await link.first().waitFor();
    const titles = await link.evaluateAll((list) => list.map((one) => one.title));
    const longest = kernels.rows.map((row) => row.name).filter((name) => name.length < 1000 && !name.includes('\u202e')).sort((a, b) => b.length - a.length)[0];
    const at = titles.indexOf(`Search: ${longest}`);
    assert(at >= 0, `a title is ${longest}`);
    const halves = await link.nth(at).evaluate((one) => {
      const box = one.getBoundingClientRect();
      const [head, tail] = [one.querySelector('.middle-head'), one.querySelector('.middle-tail')];
      return { cut: head.scrollWidth > head.clientWidth, tail: tail.scrollWidth - tail.clientWidth, inside: tail.getBoundingClientRect().right <= box.right + 1 };
    });
    equal(halves, { cut: true, tail: 0, inside: true }, 'the head gives way, the tail stays');
    equal(await page.locator('#panel th button').filter({ hasText: 'Main part' }).getAttribute('title'), 'the part with most of the kernel\u2019s time; Parts has the exact sums', 'what the part is');
  },

  async 'a table that goes on beside its edge shows it'(context) {
    const page = await context.open('#t=0&p=kernels', phone);
    const table = page.getByRole('region', { name: 'Kernels' });
    await table.waitFor();
    const more = () => table.evaluate((one) => ['more-left', 'more-right'].map((side) => one.parentElement.classList.contains(side)));
    await becomes(more, [false, true], 'there is more on the right');
    await table.evaluate((one) => (one.scrollLeft = 40));
    await becomes(more, [true, true], 'on both sides');
    await table.evaluate((one) => (one.scrollLeft = one.scrollWidth));
    await becomes(more, [true, false], 'on the left');
    await page.setViewportSize({ width: 2400, height: 844 });
    await becomes(more, [false, false], 'where all is seen');
  },

  async 'small words: steps stand left, one row is a row, the theme is named'(context) {
    const page = await context.open('#t=0&p=steps');
    const heading = page.locator('#panel th').first();
    await heading.waitFor();
    equal(await heading.evaluate((one) => getComputedStyle(one).textAlign), 'left', 'the heading of names');
    const steps = await ask(context, 'traces/0/documents/steps');
    const step = steps.rows[0];
    await page.getByLabel('Filter Steps').fill(step.name);
    await waitFor(async () => (await panel(page).locator('output').innerText()).includes(' of '), 'the rows are filtered');
    assert(!(await panel(page).locator('output').innerText()).includes('1 rows'), 'one row is a row');
    assert(/^Theme: (auto|light|dark)$/.test(await page.locator('.theme').innerText()), 'the button says what it is');
  },

  async 'labels of tracks can be told apart 390 px wide'(context) {
    const page = await context.open('', phone);
    const labels = page.locator('.track-label > .cut');
    const seen = await labels.evaluateAll((list) =>
      list.map((one) => {
        const tail = one.querySelector('.middle-tail');
        return tail ? tail.scrollWidth - tail.clientWidth : 0;
      }),
    );
    equal(seen.filter((over) => over > 0).length, 0, 'labels whose end is cut');
    assert((await labels.first().getAttribute('title')).length > 0, 'the whole name is the title');
  },

  async 'marks have their times'(context) {
    const page = await context.open('#t=0&v=0,1000000&m=200000,800000');
    await waitFor(async () => (await page.locator('#marks-text').textContent()).includes(`${formatDuration(600_000)} after the one before`), 'their distance is told');
    const drawn = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('.tl-ruler');
        const ratio = devicePixelRatio;
        const mark = getComputedStyle(document.documentElement).getPropertyValue('--mark').trim();
        const [r, g, b] = [1, 3, 5].map((at) => parseInt(mark.slice(at, at + 2), 16));
        const { data, width } = canvas.getContext('2d').getImageData(0, 22 * ratio, canvas.width, 18 * ratio);
        const columns = new Set();
        for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 60) columns.add((i / 4) % width);
        return [0.25, 0.5, 0.85].map((share) => [...columns].some((x) => Math.abs(x / width - share) < 0.05));
      });
    await becomes(drawn, [true, true, true], 'texts beside the flags and between them');
  },
};
