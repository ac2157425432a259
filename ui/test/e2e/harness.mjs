// Starts the browser and a server for the end-to-end tests, runs as many at a time as there are processors, and tells what failed.

import { chromium } from 'playwright-core';
import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from '../mock_server.mjs';

// Nothing of the browser's own leaves the machine, or waits for an answer from where there is none.
const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const out = join(dirname(fileURLToPath(import.meta.url)), 'out');

export function assert(holds, what) {
  if (!holds) throw new Error(what);
}

export function equal(seen, expected, what) {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, saw ${a}`);
}

// Long, since a busy machine makes nothing wrong: what holds is seen at once.
export const waitFor = async (holds, what, ms = 20_000) => {
  const until = Date.now() + ms;
  let last;
  for (;;) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) throw new Error(`${what} did not come to hold${last ? `: ${last.message}` : ''}`);
    await new Promise((done) => setTimeout(done, 60));
  }
};

// What READ gives comes to be EXPECTED.
export async function becomes(read, expected, what, ms) {
  let seen;
  const b = JSON.stringify(expected);
  await waitFor(async () => (seen = JSON.stringify(await read())) === b, what, ms).catch((error) => {
    throw new Error(`${error.message}: expected ${b}, saw ${seen}`);
  });
}

// What a page says while a test runs goes to the test.
function listen(context, page) {
  const heard = {
    console: (message) => {
      // That the recording lacks something is an answer (422), which the browser logs.
      if (message.type() === 'error' && !message.text().includes('status of 422')) context.errors.push(`console: ${message.text()}`);
    },
    pageerror: (error) => context.errors.push(`page: ${error.message}`),
    request: (request) => {
      if (!request.url().startsWith(context.base) && request.url() !== 'about:blank') context.errors.push(`a request to elsewhere: ${request.url()}`);
    },
    dialog: (dialog) => {
      context.errors.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    },
  };
  for (const [event, hear] of Object.entries(heard)) page.on(event, hear);
  return () => {
    for (const [event, hear] of Object.entries(heard)) page.off(event, hear);
  };
}

// The page in the state it opens with, its errors collected. The first of a test is the one that the lane keeps: a new one costs a second.
export async function openPage(context, hash = '') {
  const viewport = context.viewport ?? { width: 1280, height: 800 };
  const colorScheme = context.scheme ?? 'light';
  // Each frame of a motion is drawn without a GPU here: only tests of motion have it.
  const reducedMotion = context.motion ? 'no-preference' : 'reduce';
  let page = context.lane.page;
  if (page && !context.lane.taken) {
    context.lane.taken = true;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion });
  } else {
    page = await context.browser.newPage({ viewport, colorScheme, reducedMotion });
    context.extra.push(page);
  }
  context.quiet.push(listen(context, page));
  await page.goto(context.base + hash);
  await page.waitForSelector('.tl-labels .track-label', { timeout: 60_000 });
  return page;
}

// The lane's page as new, for the next test.
async function clean(lane, browser) {
  try {
    await lane.page.unrouteAll({ behavior: 'ignoreErrors' });
    // A page that a test left blank has no storage.
    if (lane.page.url() !== 'about:blank') await lane.page.evaluate(() => localStorage.clear());
    await lane.page.goto('about:blank');
  } catch {
    await lane.page.close().catch(() => undefined);
    lane.page = await browser.newPage();
  }
  lane.taken = false;
}

// One test in a state of its own; returns what was wrong.
async function runOne(shared, name, test) {
  const context = { ...shared, errors: [], pages: [], extra: [], quiet: [] };
  context.open = async (hash, more = {}) => {
    const page = await openPage(Object.assign(context, { viewport: undefined, scheme: undefined, motion: false }, more), hash);
    context.pages.push(page);
    return page;
  };
  let wrong = null;
  try {
    await test(context);
    if (context.errors.length) throw new Error(context.errors.join('\n'));
  } catch (error) {
    wrong = String(error.message);
    const page = context.pages[context.pages.length - 1];
    await page?.screenshot({ path: join(out, `${name.replace(/\W+/g, '_')}.png`) }).catch(() => undefined);
  }
  for (const leave of context.quiet) leave();
  for (const page of new Set([...context.pages, ...context.extra])) if (page !== context.lane.page) await page.close();
  await clean(context.lane, context.browser);
  return wrong;
}

export async function runAll(tests) {
  const mock = process.env.BASE_URL ? null : await start();
  const base = (process.env.BASE_URL ?? mock.url).replace(/\/?$/, '/');
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`${executablePath}: there is no browser; install chromium or set CHROMIUM`);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
  mkdirSync(out, { recursive: true });
  const wanted = process.argv[2];
  const waiting = Object.entries(tests).filter(([name]) => !wanted || name.includes(wanted));
  let failed = 0;
  const lane = async () => {
    const kept = { page: await browser.newPage(), taken: false };
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, test] = next;
      const began = Date.now();
      const wrong = await runOne({ browser, base, mock: mock !== null, lane: kept }, name, test);
      if (wrong === null) {
        console.log(`ok    ${name} (${Date.now() - began} ms)`);
      } else {
        failed++;
        console.log(`FAIL  ${name}\n      ${wrong.split('\n').slice(0, 12).join('\n      ')}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.JOBS) || availableParallelism() }, lane));
  await browser.close();
  mock?.server.close();
  console.log(failed ? `${failed} failed` : 'all passed');
  process.exit(failed ? 1 : 0);
}

// Requests of the tests themselves, exact: times are BigInt, absolute.
export async function ask(context, path) {
  const response = await fetch(`${context.base}api/v1/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return JSON.parse(text.replace(/"(start_ns|end_ns)"\s*:\s*(-?\d+)/g, '"$1":"$2"'), (key, value) => ((key === 'start_ns' || key === 'end_ns') && typeof value === 'string' ? BigInt(value) : value));
}

export const hashOf = async (page) => new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));

export async function viewOf(page) {
  const [start, end] = ((await hashOf(page)).get('v') ?? '').split(',').map(Number);
  return { start, end };
}

// The address follows the view a moment later: it has when it stays as it is for longer than that, while the page draws. Frames are counted as
// well, since a busy machine draws few in that time.
export const settle = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        let [seen, since, frames] = [location.hash, performance.now(), 0];
        const look = (now) => {
          if (location.hash !== seen) [seen, since, frames] = [location.hash, now, 0];
          if (now - since > 500 && ++frames > 12) done();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );

// How many colours the timeline is drawn in.
export const coloursOf = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector('.tl-canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  });
