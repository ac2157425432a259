// Starts the browser and a server for the end-to-end tests, runs them one after another, and tells what failed.

import { chromium } from 'playwright-core';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from '../mock_server.mjs';

const out = join(dirname(fileURLToPath(import.meta.url)), 'out');

export function assert(holds, what) {
  if (!holds) throw new Error(what);
}

export function equal(seen, expected, what) {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, saw ${a}`);
}

export const waitFor = async (holds, what, ms = 8000) => {
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

// The page in the state it opens with, its errors collected.
export async function openPage(context, hash = '') {
  const page = await context.browser.newPage({ viewport: context.viewport ?? { width: 1280, height: 800 }, colorScheme: context.scheme ?? 'light' });
  page.on('console', (message) => {
    // That the recording lacks something is an answer (422), which the browser logs.
    if (message.type() === 'error' && !message.text().includes('status of 422')) context.errors.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => context.errors.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(context.base)) context.errors.push(`a request to elsewhere: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    context.errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(context.base + hash);
  await page.waitForSelector('.tl-labels .track-label', { timeout: 60_000 });
  return page;
}

export async function runAll(tests) {
  const mock = process.env.BASE_URL ? null : await start();
  const base = (process.env.BASE_URL ?? mock.url).replace(/\/?$/, '/');
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`${executablePath}: there is no browser; install chromium or set CHROMIUM`);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  mkdirSync(out, { recursive: true });
  const wanted = process.argv[2];
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    if (wanted && !name.includes(wanted)) continue;
    const context = { browser, base, mock: mock !== null, errors: [], pages: [] };
    context.open = async (hash, more = {}) => {
      const page = await openPage(Object.assign(context, { viewport: undefined, scheme: undefined }, more), hash);
      context.pages.push(page);
      return page;
    };
    const began = Date.now();
    try {
      await test(context);
      if (context.errors.length) throw new Error(context.errors.join('\n'));
      console.log(`ok    ${name} (${Date.now() - began} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n      ${String(error.message).split('\n').slice(0, 12).join('\n      ')}`);
      const page = context.pages[context.pages.length - 1];
      await page?.screenshot({ path: join(out, `${name.replace(/\W+/g, '_')}.png`) }).catch(() => undefined);
    }
    for (const page of context.pages) await page.close();
  }
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

// The address follows the view a moment later.
export const settle = (page) => page.waitForTimeout(550);
