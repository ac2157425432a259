// Two recordings compared: the panel shows the document, and leads to a kernel in either trace.

import { ask, assert, equal, hashOf, waitFor } from './harness.mjs';
import { formatDuration } from './units.mjs';

const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

const ready = async (context) => (await ask(context, 'state')).traces.filter((trace) => trace.status === 'ready');

async function opened(context) {
  await context.open('#t=0');
  await waitFor(async () => (await ready(context)).length > 0, 'a trace is ready');
  const page = context.pages[context.pages.length - 1];
  await page.locator('#tab-diff').click();
  return page;
}

export const diffs = {
  async 'a comparison has the numbers of the document'(context) {
    const page = await opened(context);
    const traces = await ready(context);
    if (traces.length < 2) {
      await waitFor(async () => (await page.locator('#panel').innerText()).includes('needs two recordings'), 'what to do is said');
      return;
    }
    const diff = await ask(context, `traces/${traces[0].id}/documents/diff?with=${traces[1].id}`);
    await waitFor(async () => (await page.locator('.verdict').innerText()) === sentence(diff.verdict), 'the verdict is shown');
    const shown = await page.locator('#panel').innerText();
    assert(shown.includes('~ before a change says that it is within the noise'), 'what ~ means is said');
    if (diff.a.step_source !== diff.b.step_source) {
      const warning = shown.indexOf(`Steps are found in different ways: ${diff.a.step_source} in A, ${diff.b.step_source} in B.`);
      assert(warning >= 0 && warning < shown.indexOf(sentence(diff.verdict)), 'how steps were found stands before the verdict');
    }
    const metrics = page.getByRole('region', { name: 'Metrics' });
    const step = (await metrics.locator('tbody tr').first().innerText()).replace(/\s+/g, '');
    for (const value of [diff.metrics.step.a.median_ns, diff.metrics.step.b.median_ns]) {
      assert(step.includes(formatDuration(value).replace(' ', '')), `${formatDuration(value)} is in ${step}`);
    }
    if (diff.kernels) {
      const first = page.getByRole('region', { name: 'Kernels' }).locator('tbody tr').first();
      const text = (await first.innerText()).replace(/\s+/g, '');
      equal(await first.locator('td').first().locator('span').first().getAttribute('title'), diff.kernels.rows[0].name.slice(0, 2000), 'the whole name is the title');
      const change = diff.kernels.rows[0].gpu_change_ns;
      assert(text.includes(`${change > 0 ? '+' : ''}${formatDuration(change)}`.replace(' ', '')), `the largest change stands first: ${text}`);
    }
    const different = diff.facts.filter((fact) => fact.differs);
    for (const fact of different) await waitFor(async () => (await page.locator('#panel').innerText()).includes(fact.what), `${fact.what} is said to differ`);
    equal(await page.locator('#panel b b, #panel script').count(), 0, 'names are text');
  },

  async 'a swapped comparison, and the way to a kernel in the other trace'(context) {
    const page = await opened(context);
    const traces = await ready(context);
    if (traces.length < 2) return;
    await page.getByRole('button', { name: 'Swap' }).click();
    const diff = await ask(context, `traces/${traces[1].id}/documents/diff?with=${traces[0].id}`);
    await waitFor(async () => (await page.locator('.verdict').innerText()) === sentence(diff.verdict), 'the other way round');
    if (!diff.kernels?.rows.some((row) => row.change !== 'appeared')) return;
    const link = page.getByRole('region', { name: 'Kernels' }).locator('tbody button[title^="Find in A"]').first();
    await link.click();
    await waitFor(async () => (await hashOf(page)).get('t') === String(traces[1].id), 'A is the second trace now');
    await waitFor(async () => (await hashOf(page)).get('q'), 'the kernel is searched');
    await page.waitForSelector('.track-label');
  },
};
