// The rows of the data behind a figure, opened by a click on it.

import * as React from 'react';

import { PLAIN } from '../looking';
import type { Behind } from '../messages';
import type { Acts, Outlook } from './outlook';
import { ResultTable } from './table';
import { Takes } from './tools';

interface Props {
  readonly behind: Behind;
  readonly outlook: Outlook;
  readonly acts: Acts;
}

export function BehindPart({ behind, outlook, acts }: Props): JSX.Element {
  const { row, found } = behind;
  return (
    <div className="jp-mcpgen-behind" role="region" aria-label={`Rows behind row ${row}`}>
      <div className="jp-mcpgen-behindHead">
        <span>
          Behind row {row}: {found.reading}
        </span>
        <button type="button" className="jp-mcpgen-button" onClick={acts.close}>
          Close
        </button>
      </div>
      <ResultTable table={found.table} label="Rows behind the figure" />
      {outlook.hands.kind !== 'tied' && (
        <div className="jp-mcpgen-tools" role="group" aria-label="Take the rows behind it">
          <Takes
            key={row}
            rows={{ view: PLAIN, behind: row }}
            suggested={`${outlook.card.tool_name}_behind_${row}`}
            acts={acts}
          />
        </div>
      )}
    </div>
  );
}
