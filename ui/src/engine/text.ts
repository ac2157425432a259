// Names as they may be shown: always text, never markup, and never able to rearrange what stands beside them.

// C0 and C1 control characters and the marks that override the direction of text.
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function displayText(name: string | null | undefined): string {
  return (name ?? '').replace(unseen, (c) => (c === '\n' || c === '\t' ? ' ' : '\ufffd'));
}

// A kernel's own name, without its result type, namespaces, template arguments and parameters.
export function shortKernelName(name: string): string {
  const text = name.replace(/^(?:void|__global__ void)\s+/, '').replace(/\(anonymous namespace\)::/g, '').replace(/<unnamed>::/g, '');
  const end = text.search(/[<(]/);
  const head = end > 0 ? text.slice(0, end) : text;
  const own = (head.includes('::') ? head.slice(head.lastIndexOf('::') + 2) : head).trim();
  return own || text;
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
