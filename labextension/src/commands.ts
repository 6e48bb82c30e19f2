// The only way to act on a card, and what opens a request. Every command has a magic and a command-line twin in Python.

import type { LabIcon } from '@jupyterlab/ui-components';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';

import type { Inbox } from './inbox';
import type {
  Adjust,
  Answer,
  AskAgain,
  Draw,
  Explain,
  Fetch,
  Look,
  LookIntoFile,
  Offer,
  Pick,
  ReadCode,
  ReadSo,
  Take,
  Undo
} from './messages';
import type { CardSession } from './session';

export const COMMANDS = {
  answer: 'mcpgen:answer',
  undo: 'mcpgen:undo',
  pick: 'mcpgen:pick',
  offer: 'mcpgen:offer-choices',
  adjust: 'mcpgen:adjust',
  askAgain: 'mcpgen:ask-again',
  explain: 'mcpgen:explain',
  look: 'mcpgen:look',
  take: 'mcpgen:take-rows',
  fetch: 'mcpgen:fetch-rows',
  draw: 'mcpgen:draw',
  readCode: 'mcpgen:read-code',
  lookIntoFile: 'mcpgen:look-into-file',
  readSo: 'mcpgen:read-so',
  stop: 'mcpgen:stop',
  review: 'mcpgen:review',
  openPanel: 'mcpgen:open-panel'
} as const;

type Said =
  | Answer
  | Undo
  | Pick
  | Offer
  | Adjust
  | AskAgain
  | Explain
  | Look
  | Take
  | Fetch
  | Draw
  | ReadCode
  | LookIntoFile
  | ReadSo;

/** Arguments: the message without its kind, and the id of the notebook's session. */
export function addCommands(commands: CommandRegistry, sessions: ReadonlyMap<string, CardSession>): void {
  const add = <M extends Said>(id: string, kind: M['kind'], label: string, fields: string[]) => {
    commands.addCommand(id, {
      label,
      describedBy: { args: { type: 'object', required: ['session', ...fields], properties: {} } },
      execute: ({ session, ...rest }) => {
        const target = sessions.get(String(session));
        if (target === undefined) {
          throw new Error(`No open notebook has the session ${String(session)}.`);
        }
        target.send({ ...rest, kind } as unknown as M);
      }
    });
  };
  add<Answer>(COMMANDS.answer, 'answer', 'Answer a question of a card', ['card_id', 'fingerprint', 'step', 'answer']);
  add<Undo>(COMMANDS.undo, 'undo', 'Undo the promotion of a tool', ['card_id']);
  add<Explain>(COMMANDS.explain, 'explain', 'Show the rows behind a figure', ['card_id', 'row']);
  add<Look>(COMMANDS.look, 'look', 'Show rows of a result', ['card_id', 'view', 'first', 'count']);
  add<Take>(COMMANDS.take, 'take', 'Put rows into a variable', ['card_id', 'rows', 'name']);
  add<Fetch>(COMMANDS.fetch, 'fetch', 'Save rows as a file', ['card_id', 'rows', 'form']);
  add<Draw>(COMMANDS.draw, 'draw', 'Draw another kind of chart', ['card_id', 'chart']);
  add<ReadCode>(COMMANDS.readCode, 'read_code', 'Show the code of an answer', ['card_id']);
  add<LookIntoFile>(COMMANDS.lookIntoFile, 'look_into_file', 'Show the beginning of a file', ['card_id']);
  add<ReadSo>(COMMANDS.readSo, 'read_so', 'Ask of a file that is read in another way', ['card_id', 'options']);
  add<Pick>(COMMANDS.pick, 'pick', 'Read the question another way', ['card_id', 'chip']);
  add<Offer>(COMMANDS.offer, 'offer', 'Show what may stand in a part of the reading', ['card_id', 'part']);
  add<Adjust>(COMMANDS.adjust, 'adjust', 'Change a part of the reading', ['card_id', 'part', 'values']);
  add<AskAgain>(COMMANDS.askAgain, 'ask_again', 'Ask in other words', ['card_id', 'question']);
}

/**
 * Ends questions on their way, also while their cells run: the one that is named, else those of the session that is
 * named, else those of every open notebook. Its twin is to interrupt the kernel.
 */
export function addStopCommand(commands: CommandRegistry, sessions: ReadonlyMap<string, CardSession>): void {
  const meant = ({ session, asking_id }: ReadonlyPartialJSONObject) =>
    [...sessions.values()]
      .filter(one => session === undefined || one.id === session)
      .flatMap(one => one.going.map(({ asking }) => ({ one, askingId: asking.asking_id })))
      .filter(({ askingId }) => asking_id === undefined || askingId === asking_id);
  commands.addCommand(COMMANDS.stop, {
    label: 'mcpgen: Stop the question',
    describedBy: {
      args: { type: 'object', properties: { session: { type: 'string' }, asking_id: { type: 'string' } } }
    },
    isEnabled: args => meant(args).length > 0,
    execute: args => meant(args).forEach(({ one, askingId }) => one.stop(askingId))
  });
}

/**
 * Opens a request. A decision about it is no command: an assistant that may run JupyterLab's commands could give its own
 * tools consent.
 */
export function addReviewCommand(commands: CommandRegistry, inbox: Inbox): void {
  commands.addCommand(COMMANDS.review, {
    label: 'mcpgen: Review what AI clients offer',
    describedBy: { args: { type: 'object', properties: { request_id: { type: 'string' } } } },
    execute: args => inbox.review(typeof args.request_id === 'string' ? args.request_id : null)
  });
}

/** Opens the side panel; what is decided there is no command either, for the same reason. */
export function addPanelCommand(commands: CommandRegistry, icon: LabIcon, open: () => void): void {
  commands.addCommand(COMMANDS.openPanel, {
    label: 'mcpgen: Open the panel of answers and tools',
    icon,
    describedBy: { args: { type: 'object', properties: {} } },
    execute: open
  });
}
