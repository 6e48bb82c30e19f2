// What the code of a tool drew itself: pictures beside its result, or their names where they are too large.

import * as React from 'react';

import type { Figure } from '../messages';

interface Props {
  readonly figures: readonly Figure[];
}

/** The types that a page may show; a picture of another type could hold scripts. */
const SHOWN = 'image/png';

export function Drawings({ figures }: Props): JSX.Element | null {
  if (figures.length === 0) {
    return null;
  }
  return (
    <div className="jp-mcpgen-drawings">
      {figures.map(figure =>
        figure.content !== '' && figure.type === SHOWN ? (
          <img
            key={figure.name}
            alt={figure.name}
            src={`data:${SHOWN};base64,${figure.content}`}
            style={{ maxWidth: '100%' }}
          />
        ) : (
          <div key={figure.name}>{`${figure.name} is too large to be shown.`}</div>
        )
      )}
    </div>
  );
}
