// What the parts of a card are given: the card as it stands, and what a person can do with it.

import type { Answer, Behind, Card, Confirms, PartChoices } from '../messages';
import type { Draft, Hands, Stand } from '../store';

/** What a person can do with a card. */
export interface Acts {
  answer(step: Answer['step'], answer: string, notes: string | null): void;
  /** Save the tool, with what was confirmed besides. */
  approve(confirmed: ReadonlyArray<Confirms>): void;
  /** Keep what was confirmed so far of an approval; null gives it up. */
  confirm(confirmed: ReadonlyArray<Confirms> | null): void;
  undo(): void;
  pick(chip: string): void;
  /** Ask what may stand in a part of the reading. */
  offer(part: string): void;
  adjust(part: string, values: ReadonlyArray<string>): void;
  closeParts(): void;
  /** Ask in other words. */
  askAgain(question: string): void;
  explain(row: number): void;
  close(): void;
  draft(draft: Draft | null): void;
}

/** A card with all that its parts depend on. */
export interface Outlook {
  readonly card: Card;
  /** Whether the question was stopped, or lost its kernel, so that a draft stays one. */
  readonly isLeft: boolean;
  /** What MCP clients see of a live tool, by the kernel's word. */
  readonly clients: string | null;
  readonly hands: Hands;
  readonly stand: Stand;
  readonly refusal: string | null;
  readonly draft: Draft | null;
  readonly confirmed: ReadonlyArray<Confirms> | null;
  readonly behind: Behind | null;
  readonly offered: PartChoices | null;
}
