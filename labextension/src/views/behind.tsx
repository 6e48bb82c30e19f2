// The rows of the data behind a figure, opened by a click on it.

import * as React from 'react';

import type { Behind } from '../messages';
import { ResultTable } from './table';

export function BehindPart({ behind, close }: { behind: Behind; close: () => void }): JSX.Element {
  return (
    <div className="jp-mcpgen-behind" role="region" aria-label={`Rows behind row ${behind.row}`}>
      <div className="jp-mcpgen-behindHead">
        <span>
          Behind row {behind.row}: {behind.found.reading}
        </span>
        <button type="button" className="jp-mcpgen-button" onClick={close}>
          Close
        </button>
      </div>
      <ResultTable table={behind.found.table} label="Rows behind the figure" />
    </div>
  );
}
