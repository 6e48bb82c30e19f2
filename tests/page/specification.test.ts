// Charts of tables whose columns have any name, and of figures below zero.

import { describe, expect, test } from 'vitest';

import { dressed, hasMoreBars } from '../../labextension/src/views/specification';

type Chart = Parameters<typeof dressed>[0];
const WISHES = { values: false, rest: false };

/** Lying bars of a column, with the field as the kernel escapes it. */
function bars(column: string, field: string, figures: readonly number[]): Chart {
  return {
    mark: { type: 'bar' },
    height: { step: 17 },
    data: { values: figures.map((figure, index) => ({ [column]: `g${index}`, 'x[0]': figure })) },
    encoding: {
      y: { field, type: 'ordinal', title: column, sort: null },
      x: { field: 'x\\[0\\]', type: 'quantitative', title: 'Sum of x[0]' }
    }
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

describe('a column whose name is a path for Vega-Lite', () => {
  const chart = bars('a.b', 'a\\.b', upTo(40));

  test('is drawn as high as a column with another name', () => {
    const named = bars('ab', 'ab', upTo(20));

    expect(dressed(bars('a.b', 'a\\.b', upTo(20)), WISHES).height).toBe(dressed(named, WISHES).height);
  });

  test('gives room to the first bars, and to one for all others', () => {
    const { data } = dressed(chart, { ...WISHES, rest: true }) as { data: { values: Record<string, unknown>[] } };

    expect(hasMoreBars(chart)).toBe(true);
    expect(data.values).toHaveLength(31);
    expect(data.values[30]).toEqual({ a_2e_b: '10 others', x_5b_0_5d_: 55 });
  });

  test('adds nothing up of which only the first rows came, and says that there are more', () => {
    const cut = { ...bars('ab', 'ab', upTo(40)), title: { text: 'Bars', subtitle: 'first 40 of 90 rows' } } as Chart;
    const { title } = dressed(cut, WISHES) as { title: { text: string } };

    expect(hasMoreBars(cut)).toBe(false);
    expect(title.text).toBe('first 30 of more than 40 bars');
  });

  test('is drawn under a name that is none, from its own values', () => {
    const { data, encoding } = dressed(bars('it\'s "q"\\', 'it\\\'s \\"q\\"\\\\', [2, 1]), WISHES) as {
      data: { values: Record<string, unknown>[] };
      encoding: Record<'x' | 'y', { field: string }>;
    };

    expect(data.values.map(value => [value[encoding.y.field], value[encoding.x.field]])).toEqual([
      ['g0', 2],
      ['g1', 1]
    ]);
    expect(encoding.y.field).toMatch(/^[\w ]+$/);
  });
});

test('a title holds nothing that would end the text of an expression', () => {
  const drawn = dressed(
    {
      mark: { type: 'bar' },
      data: { values: [] },
      encoding: {
        x: { field: 'a_22_b', title: '\\", x: alert(1), "\n' },
        y: { field: 'untitled \\"\\\\' },
        color: { field: 'plain\\.name' },
        tooltip: [{ field: 'a', title: 'it"s\\' }, { field: 'b\\"' }]
      }
    },
    WISHES
  );

  expect(drawn.encoding).toMatchObject({
    x: { field: 'a_22_b', title: '\u2216\u201d, x: alert(1), \u201d ' },
    y: { title: 'untitled \u201d\u2216' },
    color: { title: 'plain.name' },
    tooltip: [{ title: 'it\u201ds\u2216' }, { title: 'b\u201d' }]
  });
});

test('values of bars below zero stand beyond their ends, and are as exact as their figures', () => {
  const valued = { ...WISHES, values: true };

  const drawn = dressed(bars('team', 'team', [2.5, -3]), valued) as {
    layer: Record<string, unknown>[];
    encoding: Record<string, unknown>;
  };
  const above = dressed(bars('team', 'team', [2, 3]), valued) as { layer: Record<string, unknown>[] };

  expect(drawn.layer.map(({ mark }) => (mark as { align?: string }).align)).toEqual([undefined, 'left', 'right']);
  expect(JSON.stringify(drawn.layer)).toContain(',.2~f');
  expect(drawn.encoding.x).toHaveProperty('scale.padding');
  expect(above.layer).toHaveLength(2);
  expect(JSON.stringify(above.layer)).toContain(',d');
});
