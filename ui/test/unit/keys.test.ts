import { describe, expect, it } from 'vitest';
import { actionOf } from '../../src/timeline/keys';

const press = (key: string, more: Partial<Record<'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey', boolean>> = {}) =>
  actionOf({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });

describe('keys', () => {
  it('knows what each does', () => {
    expect(press('w')).toBe('zoom-in');
    expect(press('ArrowLeft')).toBe('pan-left');
    expect(press('[')).toBe('follow-back');
    expect(press('/')).toBe('search');
    expect(press('?', { shiftKey: true })).toBe('help');
    expect(press('Escape')).toBe('escape');
  });

  it('tells N from Shift + N, with Caps Lock too', () => {
    expect(press('n')).toBe('search-next');
    expect(press('N', { shiftKey: true })).toBe('search-previous');
    expect(press('n', { shiftKey: true })).toBe('search-next');
    expect(press('Enter')).toBe('search-next');
    expect(press('Enter', { shiftKey: true })).toBe('search-previous');
    expect(press('M', { shiftKey: true })).toBe('clear-marks');
    expect(press('W', { shiftKey: true })).toBe('zoom-in');
    expect(press('W')).toBe('zoom-in');
  });

  it('leaves the combinations of the browser alone', () => {
    for (const with_ of ['ctrlKey', 'altKey', 'metaKey'] as const) expect(press('f', { [with_]: true })).toBeUndefined();
    expect(press('ArrowLeft', { shiftKey: true })).toBeUndefined();
    expect(press('x')).toBeUndefined();
  });
});
