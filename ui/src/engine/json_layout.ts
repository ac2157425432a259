// JSON text laid out for reading. Its tokens stay as they are: numbers may be larger than JavaScript's.

const deepestIndent = 12;

// Lists of plain values stay on one line.
export function layOutJson(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\[^])*"?|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  const out: string[] = [];
  let depth = 0;
  const line = (): void => void out.push('\n', '  '.repeat(Math.min(depth, deepestIndent)));
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token === '{' || token === '[') {
      const end = flatEnd(tokens, i);
      if (end > i) {
        for (; i <= end; i++) out.push(tokens[i] === ',' ? ', ' : (tokens[i] ?? ''));
        i--;
        continue;
      }
      out.push(token);
      depth++;
      line();
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      line();
      out.push(token);
    } else if (token === ',') {
      out.push(token);
      line();
    } else {
      out.push(token === ':' ? ': ' : token);
    }
  }
  return out.join('');
}

// Where the list that begins at `at` ends when it holds no other, or an object that is empty; else `at`.
function flatEnd(tokens: string[], at: number): number {
  if (tokens[at] === '{') return tokens[at + 1] === '}' ? at + 1 : at;
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i] === ']') return i;
    if (tokens[i] === '{' || tokens[i] === '[') return at;
  }
  return at;
}
