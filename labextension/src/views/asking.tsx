// The reading of a question on its way, in the place and the shape that it has on the card.

import * as React from 'react';

import type { Asking } from '../messages';
import { FIRST_RESULT, withoutSharedEnd } from '../words';
import { Phrase } from './phrase';
import { Heading } from './reading';
import { ResultTable } from './table';

export function AskingHeader({ asking, isGoing }: { asking: Asking; isGoing: boolean }): JSX.Element {
  const { question, reading, chips, doing, first } = asking;
  return (
    <header className="jp-mcpgen-reading">
      <div className="jp-mcpgen-question">
        <span>{question}</span>
        <span className="jp-mcpgen-badge">{isGoing ? 'working' : 'stopped'}</span>
      </div>
      {reading ? (
        <Heading reading={reading} />
      ) : (
        <h3>
          <Phrase text={unread(doing, isGoing)} />
        </h3>
      )}
      {chips.some(chip => !chip.chosen) && (
        <div className="jp-mcpgen-chips" role="group" aria-label="Readings of the question">
          {!chips.some(chip => chip.chosen) && <span className="jp-mcpgen-quiet">or</span>}
          {chips.map(chip => (
            <button
              key={chip.label}
              type="button"
              className="jp-mcpgen-chip"
              aria-pressed={chip.chosen}
              aria-disabled
              title={`Can be picked when the answer is there: ${chip.reading}`}
            >
              {withoutSharedEnd(chip.label, reading)}
            </button>
          ))}
        </div>
      )}
      {first && (
        <>
          <p className="jp-mcpgen-quiet" role="status">
            {FIRST_RESULT}
          </p>
          <ResultTable table={first} label="First result, not checked yet" />
        </>
      )}
    </header>
  );
}

function unread(doing: string, isGoing: boolean): string {
  return isGoing ? doing || 'Reading the question…' : 'Not read';
}
