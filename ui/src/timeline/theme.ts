// The colours that canvases need, read from the style sheet, so that they are decided in one place.

import { Store } from '../engine/store';
import type { Theme } from './colours';

export interface Paint {
  theme: Theme;
  ground: string;
  panel: string;
  ink: string;
  soft: string;
  line: string;
  strong: string;
  accent: string;
  range: string;
  mark: string;
  font: string;
}

export type ThemeChoice = 'auto' | 'light' | 'dark';

const storageKey = 'warpsight.theme';

function stored(): ThemeChoice {
  try {
    const text = localStorage.getItem(storageKey);
    return text === 'light' || text === 'dark' ? text : 'auto';
  } catch {
    return 'auto'; // storage is forbidden: the choice lasts as long as the page
  }
}

export const themeChoice = new Store<ThemeChoice>('auto');
export const paint = new Store<Paint | null>(null);

export function setTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'auto') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, choice);
  } catch {
    // See stored().
  }
  apply(choice);
}

function apply(choice: ThemeChoice): void {
  const root = document.documentElement;
  if (choice === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = choice;
  themeChoice.set(choice);
  const style = getComputedStyle(root);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  paint.set({
    theme: style.colorScheme.includes('dark') ? 'dark' : 'light',
    ground: colour('bg'),
    panel: colour('panel'),
    ink: colour('ink'),
    soft: colour('soft'),
    line: colour('line'),
    strong: colour('strong-line'),
    accent: colour('accent'),
    range: colour('range'),
    mark: colour('mark'),
    font: getComputedStyle(document.body).fontFamily,
  });
}

export function startTheme(): void {
  apply(stored());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(themeChoice.get()));
}
