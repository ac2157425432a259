// Colours of slices: the kind of work decides the hue, so that the eye finds GEMMs, attention and copies; the name decides the
// shade, so that neighbours differ. Text on a slice has a contrast of at least 4.5 in both themes (colours.test.ts computes it).

import type { TrackKind } from '../engine/types';

export type Theme = 'light' | 'dark';

export const families = [
  'gemm',
  'attention',
  'norm',
  'elementwise',
  'reduction',
  'copy',
  'collective',
  'embedding',
  'op',
  'call',
  'sync',
  'range',
  'frame',
  'other',
] as const;
export type Family = (typeof families)[number];

// Hue and saturation.
const hues: Record<Family, [number, number]> = {
  gemm: [212, 72],
  attention: [268, 56],
  norm: [172, 48],
  elementwise: [140, 42],
  reduction: [84, 46],
  copy: [32, 76],
  collective: [345, 58],
  embedding: [58, 50],
  op: [205, 36],
  call: [222, 20],
  sync: [8, 60],
  range: [42, 28],
  frame: [190, 26],
  other: [250, 12],
};

// Relative luminances: hues of one lightness would differ in how strong they look.
const shades: Record<Theme, number[]> = { light: [0.44, 0.37, 0.51], dark: [0.27, 0.22, 0.32] };

const aliases: Record<string, Family> = {
  convolution: 'gemm',
  moe: 'gemm',
  optimizer: 'elementwise',
  rotary: 'elementwise',
  activation: 'elementwise',
  softmax: 'reduction',
  sampling: 'reduction',
  memcpy: 'copy',
  memset: 'copy',
};

export function familyOf(text: string | null | undefined): Family | undefined {
  if (!text) return undefined;
  if ((families as readonly string[]).includes(text)) return text as Family;
  return aliases[text];
}

const gpuPatterns: [RegExp, Family][] = [
  [/nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|nvshmem|cross_device_reduce/i, 'collective'],
  [/memcpy|memset|copy_?kernel|CatArray/i, 'copy'],
  [/flash|fmha|sdpa|attn|attention/i, 'attention'],
  [/gemm|gemv|nvjet|cutlass|xmma|splitk|wgmma|Cijk_|conv|marlin/i, 'gemm'],
  [/layer_?norm|rms_?norm|batch_?norm/i, 'norm'],
  [/reduce|softmax|argmax|topk|sort/i, 'reduction'],
  [/elementwise|triton_poi|multi_tensor|silu|gelu/i, 'elementwise'],
  [/embedding|index|gather|scatter/i, 'embedding'],
];

const hostPatterns: [RegExp, Family][] = [
  [/^(?:cuda|hip|cu)\w*(?:Synchronize|StreamWait|Wait)/, 'sync'],
  [/^(?:cuda|hip|cu|nccl|cublas|cudnn)[A-Z]/, 'call'],
  [/^(?:aten|torch|c10|c10d|nccl|prims|vllm|_C)::/, 'op'],
  [/Backward\d*$|^autograd::/, 'op'],
  [/^ProfilerStep|^## |^nn\.Module/, 'range'],
];

// What a name says by itself; for kernels the server's own family comes first.
export function guessFamily(name: string, gpu: boolean, kind: TrackKind): Family {
  if (kind === 'steps' || kind === 'spans') return 'range';
  if (kind === 'frames') return 'frame';
  for (const [pattern, family] of gpu ? gpuPatterns : hostPatterns) if (pattern.test(name)) return family;
  return gpu ? 'other' : 'range';
}

// Kernels have the family that the server found, under the start of their name: tiles' names are cut.
const namedBytes = 290;
export const familyKey = (name: string): string => name.slice(0, namedBytes);

export function kernelFamily(known: { families: Map<string, Family> }, name: string): Family {
  return known.families.get(familyKey(name)) ?? guessFamily(name, true, 'stream');
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function sliceColour(family: Family, name: string, theme: Theme): string {
  const [hue, saturation] = hues[family];
  const hash = hashOf(familyKey(name));
  const lights = shades[theme];
  const turn = ((hash >>> 4) % 5) * 4 - 8;
  return hslOfLuminance(hue + turn, saturation, lights[hash % lights.length]!);
}

export function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((i) => parseInt(colour.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function hslOfLuminance(hue: number, saturation: number, wanted: number): string {
  let low = 0;
  let high = 100;
  for (let i = 0; i < 9; i++) {
    const middle = (low + high) / 2;
    if (luminance(hsl(hue, saturation, middle)) < wanted) low = middle;
    else high = middle;
  }
  return hsl(hue, saturation, low);
}

export function hsl(hue: number, saturation: number, light: number): string {
  const s = saturation / 100;
  const l = light / 100;
  const channel = (n: number): string => {
    const k = (n + ((hue + 360) % 360) / 30) % 12;
    const value = l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255).toString(16).padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

export const sliceInk: Record<Theme, string> = { light: '#15181c', dark: '#0b0e12' };
