// The reading line: what was asked, how it was understood, and the other ways to understand it.

import * as React from 'react';

import type { Chip } from '../messages';
import type { Stand } from '../store';
import { shortened, withoutSharedEnd } from '../words';
import { Rewording } from './rewording';
import type { Acts, Outlook } from './outlook';
import { Parts } from './parts';

const BADGES: Record<Stand, string> = {
  testing: 'testing',
  failed: 'checks failed',
  'output-asked': 'needs review',
  'saving-asked': 'output correct',
  saving: 'saving',
  live: 'live tool',
  archived: 'archived',
  reused: 'your tool',
  rejected: 'rejected'
};
/** Beyond this a reading is set smaller. */
const LONG = 90;

export function Reading({ outlook, acts }: { outlook: Outlook; acts: Acts }): JSX.Element {
  const { card } = outlook;
  const [asking, setAsking] = React.useState(false);
  const open = isOpen(outlook.stand);
  const editable = open && outlook.hands.kind !== 'tied';
  React.useEffect(() => setAsking(false), [card.card_id]);
  return (
    <header className="jp-mcpgen-reading">
      <div className="jp-mcpgen-question">
        <span>
          {card.question}
          {editable && (
            <button
              type="button"
              className="jp-mcpgen-editQuestion"
              aria-expanded={asking}
              onClick={() => setAsking(!asking)}
            >
              Edit the question
            </button>
          )}
        </span>
        <span className="jp-mcpgen-badge">{badge(outlook)}</span>
      </div>
      {asking && editable && (
        <Rewording
          question={card.question}
          free={outlook.hands.kind === 'free'}
          label="The question in other words"
          ask={acts.askAgain}
          close={() => setAsking(false)}
        />
      )}
      <Heading reading={card.reading} />
      {open && <Parts outlook={outlook} acts={acts} />}
      {open && card.chips.some(chip => !chip.chosen) && <Chips outlook={outlook} acts={acts} />}
    </header>
  );
}

/** The reading, and where it lists very many columns a button for all of them. */
export function Heading({ reading }: { reading: string }): JSX.Element {
  const [whole, setWhole] = React.useState(false);
  const short = shortened(reading);
  return (
    <>
      <h3 data-long={reading.length > LONG}>{whole ? reading : short}</h3>
      {short !== reading && (
        <button
          type="button"
          className="jp-mcpgen-chip"
          aria-expanded={whole}
          title={reading}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show less' : 'Show the whole reading'}
        </button>
      )}
    </>
  );
}

function badge({ card, stand, isLeft }: Outlook): string {
  if (stand === 'testing' && isLeft) {
    return 'stopped';
  }
  if (stand === 'reused') {
    return `${BADGES[stand]} v${card.version}`;
  }
  return !card.sound && (stand === 'output-asked' || stand === 'saving-asked') ? 'checks failed' : BADGES[stand];
}

/** Another reading can be picked until the card is decided, and at any time of a tool's answer, which never is. */
function isOpen(stand: Stand): boolean {
  return (
    stand === 'testing' ||
    stand === 'output-asked' ||
    stand === 'saving-asked' ||
    stand === 'reused' ||
    stand === 'failed'
  );
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
