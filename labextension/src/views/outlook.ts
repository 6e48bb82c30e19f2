// What the parts of a card are given: the card as it stands, and what a person can do with it.

import type { Answer, Card, ChartKind, Confirms, Form, PartChoices, ReadOptions, Rows, View } from '../messages';
import type { Draft, Hands, Looked, Stand } from '../store';

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
  /** Ask for rows of a view of the result. */
  look(view: View, first: number): void;
  /** Put rows into a variable of the notebook. */
  take(rows: Rows, name: string): void;
  fetch(rows: Rows, form: Form): void;
  /** Draw another kind of chart; null draws the card's own again. */
  draw(chart: ChartKind | null): void;
  readCode(): void;
  /** Ask for the beginning of a file, read so; without options as it was read. */
  lookIntoFile(isOther: boolean, options: ReadOptions | null, sheet: string | null): void;
  closeFile(): void;
  /** Ask the question again, of the file read so. */
  readSo(isOther: boolean, options: ReadOptions, sheet: string | null): void;
  /** Put code into a new cell below; null where there is no notebook around the card. */
  readonly insert: ((source: string) => void) | null;
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
  readonly looked: Looked;
  readonly offered: PartChoices | null;
}

/** A draft is kept nowhere, and of what a client offers only the example is. */
export function canLook({ card, stand, hands }: Outlook): boolean {
  return hands.kind !== 'tied' && stand !== 'testing' && stand !== 'failed' && card.offered === '';
}
