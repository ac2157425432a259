// The page's own number forms, from its source, for the tests to compare with: they are tested by themselves in test/unit.

import { readFileSync } from 'node:fs';
import { transformWithEsbuild } from 'vite';

const source = new URL('../../src/engine/units.ts', import.meta.url);
const { code } = await transformWithEsbuild(readFileSync(source, 'utf8'), 'units.ts', { sourcemap: false });
const units = await import(`data:text/javascript,${encodeURIComponent(code)}`);

export const { formatCount, formatDuration, formatPart } = units;
