// The reading line: what was asked, how it was understood, and the other ways to understand it.

import * as React from 'react';

import type { Chip } from '../messages';
import type { Stand } from '../store';
import type { Acts, Outlook } from './card';

const BADGES: Record<Stand, string> = {
  'output-asked': 'to check',
  'saving-asked': 'output correct',
  saving: 'saving',
  live: 'live tool',
  rejected: 'rejected'
};

export function Reading({ outlook, acts }: { outlook: Outlook; acts: Acts }): JSX.Element {
  const { card } = outlook;
  return (
    <header className="jp-mcpgen-reading">
      <div className="jp-mcpgen-question">
        <span>{card.question}</span>
        <span className="jp-mcpgen-badge">{BADGES[outlook.stand]}</span>
      </div>
      <div className="jp-mcpgen-readingLine">
        <h3>{card.reading}</h3>
        {card.chips.length > 1 && <Chips outlook={outlook} acts={acts} />}
      </div>
    </header>
  );
}

function Chips({ outlook, acts }: { outlook: Outlook; acts: Acts }): JSX.Element {
  const open = outlook.hands.kind === 'free' && (outlook.stand === 'output-asked' || outlook.stand === 'saving-asked');
  return (
    <div className="jp-mcpgen-chips" role="group" aria-label="Readings of the question">
      {outlook.card.chips.map(chip => (
        <ChipView key={chip.label} chip={chip} pick={open && !chip.chosen ? () => acts.pick(chip.label) : null} />
      ))}
    </div>
  );
}

function ChipView({ chip, pick }: { chip: Chip; pick: (() => void) | null }): JSX.Element {
  return (
    <button
      type="button"
      className="jp-mcpgen-chip"
      aria-pressed={chip.chosen}
      aria-disabled={pick === null}
      title={chip.chosen ? `Chosen: ${chip.reading}` : `Read it as: ${chip.reading}`}
      onClick={() => pick?.()}
    >
      {chip.label}
    </button>
  );
}
