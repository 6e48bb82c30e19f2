// The reading line: what was asked, how it was understood, and the other ways to understand it.

import * as React from 'react';

import type { Chip } from '../messages';
import type { Stand } from '../store';
import { withoutSharedEnd } from '../words';
import type { Acts, Outlook } from './outlook';

const BADGES: Record<Stand, string> = {
  'output-asked': 'to check',
  'saving-asked': 'output correct',
  saving: 'saving',
  live: 'live tool',
  rejected: 'rejected'
};
/** Beyond this a reading is set smaller, never cut: a condition at its end changes the answer. */
const LONG = 90;

export function Reading({ outlook, acts }: { outlook: Outlook; acts: Acts }): JSX.Element {
  const { card } = outlook;
  const open = isOpen(outlook.stand);
  return (
    <header className="jp-mcpgen-reading">
      <div className="jp-mcpgen-question">
        <span>{card.question}</span>
        <span className="jp-mcpgen-badge">{open && !card.sound ? 'checks failed' : BADGES[outlook.stand]}</span>
      </div>
      <h3 data-long={card.reading.length > LONG}>{card.reading}</h3>
      {open && card.chips.some(chip => !chip.chosen) && <Chips outlook={outlook} acts={acts} />}
    </header>
  );
}

function isOpen(stand: Stand): boolean {
  return stand === 'output-asked' || stand === 'saving-asked';
}

function Chips({ outlook, acts }: { outlook: Outlook; acts: Acts }): JSX.Element {
  const free = outlook.hands.kind === 'free';
  const { chips, reading } = outlook.card;
  return (
    <div className="jp-mcpgen-chips" role="group" aria-label="Readings of the question">
      {!chips.some(chip => chip.chosen) && <span className="jp-mcpgen-quiet">or</span>}
      {chips.map(chip => (
        <ChipView
          key={chip.label}
          chip={chip}
          label={withoutSharedEnd(chip.label, reading)}
          pick={free && !chip.chosen ? () => acts.pick(chip.label) : null}
        />
      ))}
    </div>
  );
}

function ChipView({ chip, label, pick }: { chip: Chip; label: string; pick: (() => void) | null }): JSX.Element {
  return (
    <button
      type="button"
      className="jp-mcpgen-chip"
      aria-pressed={chip.chosen}
      aria-disabled={pick === null}
      title={chip.chosen ? `Chosen: ${chip.reading}` : `Read it as: ${chip.reading}`}
      onClick={() => pick?.()}
    >
      {label}
    </button>
  );
}
