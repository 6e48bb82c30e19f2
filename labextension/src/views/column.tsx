// What can be done with a column of a result: order the rows by it, or keep those that meet a condition.

import * as React from 'react';

import { headers, isNumber } from '../columns';
import type { Comparison, Condition, Table, View } from '../messages';
import { Fields } from './field';

const WITHOUT_VALUE: ReadonlyArray<Comparison> = ['is missing', 'is not missing'];

function comparisonsOf(type: string): ReadonlyArray<Comparison> {
  if (type === 'boolean') {
    return ['equals', ...WITHOUT_VALUE];
  }
  const ordered: ReadonlyArray<Comparison> = ['at least', 'at most', 'equals'];
  return isNumber(type) || /^(date|month|weekday)/.test(type)
    ? [...ordered, ...WITHOUT_VALUE]
    : ['contains', ...ordered, ...WITHOUT_VALUE];
}

/** What is typed for a column of a type. */
function exampleOf(type: string): string {
  return type === 'boolean' ? 'true or false' : /^date/.test(type) ? '2024-03-31, 2024-03 or 2024' : '';
}

interface Props {
  readonly column: string;
  readonly table: Table;
  readonly view: View;
  show(view: View): void;
  close(): void;
}

/** Escape closes it, and the focus goes back to the column's name. */
export function ColumnChooser({ column, table, view, show, close }: Props): JSX.Element {
  const index = table.columns.indexOf(column);
  const comparisons = comparisonsOf(table.types[index] ?? '');
  const before = view.conditions.find(one => one.column === column);
  const [comparison, setComparison] = React.useState<Comparison>(before?.comparison ?? comparisons[0] ?? 'equals');
  const [value, setValue] = React.useState(before?.value ?? '');
  const needsValue = !WITHOUT_VALUE.includes(comparison);
  const title = headers(table)[index] ?? column;
  const order = (descending: boolean) => show({ ...view, order: { column, descending } });
  const keep = () => {
    if (!needsValue || value.trim() !== '') {
      const condition: Condition = { column, comparison, value: needsValue ? value.trim() : '' };
      show({ ...view, conditions: [...view.conditions.filter(one => one.column !== column), condition] });
    }
  };
  return (
    <Fields className="jp-mcpgen-chooser" label={`Column ${title}`} send={keep} close={close}>
      <div className="jp-mcpgen-row">
        <button type="button" className="jp-mcpgen-button" onClick={() => order(false)}>
          Sort ascending
        </button>
        <button type="button" className="jp-mcpgen-button" onClick={() => order(true)}>
          Sort descending
        </button>
      </div>
      <div className="jp-mcpgen-row">
        <label>
          Keep rows where {title}{' '}
          <select
            aria-label="How it is compared"
            value={comparison}
            onChange={event => setComparison(event.target.value as Comparison)}
          >
            {comparisons.map(one => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {needsValue && (
          <input
            type="text"
            aria-label="The value it is compared with"
            placeholder={exampleOf(table.types[index] ?? '')}
            value={value}
            onChange={event => setValue(event.target.value)}
          />
        )}
        <button
          type="button"
          className="jp-mcpgen-button jp-mod-strong"
          onClick={keep}
          disabled={needsValue && value.trim() === ''}
        >
          Filter
        </button>
        <button type="button" className="jp-mcpgen-button" onClick={close}>
          Close
        </button>
      </div>
    </Fields>
  );
}

/** What narrows and orders the rows now, each with a button that takes it away. */
export function Conditions({ table, view, show }: Omit<Props, 'column' | 'close'>): JSX.Element | null {
  const { order, conditions } = view;
  if (order === null && conditions.length === 0) {
    return null;
  }
  const called = (column: string) => headers(table)[table.columns.indexOf(column)] ?? column;
  return (
    <div className="jp-mcpgen-row" role="group" aria-label="Sorting and filters of this table">
      {conditions.map(condition => (
        <Removable
          key={condition.column}
          text={`${called(condition.column)} ${condition.comparison} ${condition.value}`.trim()}
          remove={() => show({ ...view, conditions: conditions.filter(one => one !== condition) })}
        />
      ))}
      {order !== null && (
        <Removable
          text={`sorted by ${called(order.column)}, ${order.descending ? 'descending' : 'ascending'}`}
          remove={() => show({ ...view, order: null })}
        />
      )}
      <span className="jp-mcpgen-quiet">The answer itself is not changed.</span>
    </div>
  );
}

function Removable({ text, remove }: { text: string; remove: () => void }): JSX.Element {
  return (
    <button type="button" className="jp-mcpgen-chip" aria-label={`Remove: ${text}`} title="Remove" onClick={remove}>
      {text} <span aria-hidden>×</span>
    </button>
  );
}
