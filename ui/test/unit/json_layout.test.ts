import { describe, expect, it } from 'vitest';
import { layOutJson } from '../../src/engine/json_layout';

describe('layOutJson', () => {
  it('lays out objects, and lists of values on one line', () => {
    expect(layOutJson('{"a":1,"b":{"c":[1,2],"d":{}},"e":[{"f":null}]}')).toBe(
      '{\n  "a": 1,\n  "b": {\n    "c": [1, 2],\n    "d": {}\n  },\n  "e": [\n    {\n      "f": null\n    }\n  ]\n}',
    );
  });

  it('keeps every token, large numbers too', () => {
    const text = '{"id": 18446744073709551615, "x": 1.50e-07, "name": "a, \\"b\\": {[]}", "t": true}';
    expect(layOutJson(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  it('takes text that is cut or no JSON', () => {
    for (const text of ['', '{"a": [1, 2', '"never', ']]}}', '{'.repeat(5000)]) expect(layOutJson(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    expect(layOutJson('['.repeat(20_000)).length).toBeLessThan(2_000_000);
  });
});
