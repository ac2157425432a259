// The page is compiled into the program and read over slow links too: its size is kept.

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const most = 100_000; // bytes, gzipped, all files together
const dist = new URL('../dist/', import.meta.url);
let sum = 0;
for (const name of readdirSync(dist)) {
  const bytes = gzipSync(readFileSync(new URL(name, dist))).length;
  sum += bytes;
  console.log(`${String(bytes).padStart(7)} B  ${name}`);
}
console.log(`${String(sum).padStart(7)} B  gzipped in all; at most ${most} B`);
process.exit(sum <= most ? 0 : 1);
