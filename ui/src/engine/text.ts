// Names as they may be shown: always text, never markup, and never able to rearrange what stands beside them.

// C0 and C1 control characters and the marks that override the direction of text.
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function displayText(name: string | null | undefined): string {
  return (name ?? '').replace(unseen, (c) => (c === '\n' || c === '\t' ? ' ' : '\ufffd'));
}

// The same for a text of several lines.
export const displayLines = (text: string): string => text.split('\n').map(displayText).join('\n');

// As a sentence begins.
export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

// A kernel's own name, without its result type, namespaces, template arguments and parameters.
export function shortKernelName(name: string): string {
  const text = name.replace(/^(?:void|__global__ void)\s+/, '').replace(/\(anonymous namespace\)::/g, '').replace(/<unnamed>::/g, '');
  const end = text.search(/[<(]/);
  const head = end > 0 ? text.slice(0, end) : text;
  const own = (head.includes('::') ? head.slice(head.lastIndexOf('::') + 2) : head).trim();
  return own || text;
}

// What tells kernels apart: the kernel's own name with its template arguments, without namespaces and parameters, which follow from
// those or from nothing a reader can act on.
export function kernelLabel(name: string): string {
  const text = displayText(name);
  const own = shortKernelName(text);
  if (own === text) return text;
  const rest = withoutParameters(text.slice(text.indexOf(own) + own.length));
  const told = rest
    .replace(/\(anonymous namespace\)::|<unnamed>::|\b(?:[A-Za-z_]\w*::)+/g, '')
    .replace(/,\s*array<char ?\*, \d+(?:ul)?>/g, '')
    .replace(/>\s+(?=>)/g, '>');
  return `${own}${told}`;
}

// Of "<...>(...)" the first part.
function withoutParameters(text: string): string {
  const end = text.trimEnd();
  if (!end.endsWith(')')) return text;
  let open = 0;
  for (let at = end.length - 1; at >= 0; at--) {
    if (end[at] === ')') open++;
    else if (end[at] === '(' && --open === 0) return end[at - 1] === ' ' ? text : end.slice(0, at); // "Memcpy HtoD (Pageable -> Device)" has none
  }
  return text;
}

export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? '') ? most - 2 : most - 1;
  return `${text.slice(0, end)}\u2026`;
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}
