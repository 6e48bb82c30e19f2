// What the side panel says; nothing that a person reads there stands elsewhere.

import type { Action, PanelPart, PanelVerified, PanelVersion } from '../messages';
import type { Link, Section } from './state';

export const TITLE = 'mcpgen: answers and tools';
export const HEADING = 'Answers and tools';

export const NAMES: Record<Section, string> = {
  inbox: 'Inbox',
  library: 'Library',
  health: 'Health',
  activity: 'Activity'
};

export const LINKS: Record<Exclude<Link, 'open'>, string> = {
  opening: 'Connecting…',
  lost: 'The Jupyter server does not answer. Trying again…',
  missing:
    'Server part not installed. Install `jupyter-mcpgen` in the environment of the Jupyter server, then start the server again. Cards and `%mcpgen` work without it.'
};

export const INBOX = {
  empty:
    'Nothing waits for you. When you ask a question in any notebook or terminal, its answer waits here for your decision.',
  offers: 'From AI clients',
  answers: 'Answers',
  selectAll: 'Select all',
  select: (reading: string) => `Select “${reading}”`,
  all: 'All',
  selected: (number: number, of: number) => `${number} of ${of}`,
  approve: 'Approve',
  reject: 'Reject…',
  rejectNow: 'Reject',
  cancel: 'Cancel',
  review: 'Review',
  back: 'Back to the inbox',
  reason: 'Why? A reason that says what was meant gives a new answer.',
  reasonOfSeveral: 'Why? The reason is kept with each of them.',
  stale: 'This answer was decided or changed elsewhere.',
  waiting: 'Waiting for the answer…',
  loading: 'Loading the answer…',
  code: 'The code',
  nextVersion: 'next version',
  alone: (why: string) => `Open it to approve it: ${lowered(why)}`,
  undo: 'Undo',
  tick: 'Tick the box first.'
};

export const LIBRARY = {
  search: 'Search your tools',
  empty: 'You have no tools yet. Ask a question in a notebook and approve its answer.',
  none: 'No tool has any of these words.',
  archived: 'not active',
  more: (number: number) => `${number.toLocaleString('en-US')} more fit. Add a word to rank them better.`,
  moreWithoutWords: (number: number) => `${number.toLocaleString('en-US')} more. Search for them.`,
  back: 'Back to the library',
  loading: 'Loading the tool…',
  call: 'Call it',
  parameters: 'Parameters',
  required: 'required',
  versions: 'Versions',
  code: 'The code',
  copy: 'Copy',
  copied: 'Copied',
  changes: 'Changes',
  changesOf: (version: string, before: string) => `Show what changes from v${before} to v${version}`,
  hide: 'Hide the changes',
  look: 'Open',
  lookAt: (version: string) => `Open v${version} in the inbox`,
  rollback: 'Make active',
  rollbackTo: (version: string) => `Make v${version} active`,
  unpublish: 'Unpublish',
  sure: 'AI clients and notebooks can no longer call it. It stays in the archive.',
  keep: 'Keep it',
  archivedTool: 'No version is active, so it cannot be called. Make one active below.',
  connect: 'Connect an AI client',
  connected: (state: string) => state || 'not connected',
  into: (file: string) => `Put this into ${file}, or run`,
  never: 'never called'
};

export const HEALTH = {
  loading: 'Looking…',
  more: 'More:',
  audit: 'Audit log',
  verify: 'Verify the audit log',
  verifying: 'Verifying…',
  auditTold: 'Every decision is a line that is bound to the one before by its hash.'
};

export const ACTIVITY = {
  empty: 'Nothing happened yet.',
  earlier: (number: number) => `${number.toLocaleString('en-US')} earlier entries:`
};

export const STATES: Record<PanelPart['state'], string> = { good: 'good', off: 'off', bad: 'needs attention' };

export const VERSION_STATES: Record<PanelVersion['state'], string> = {
  active: 'active',
  archived: 'in the archive',
  pending: 'waits for you'
};

export const ACTIONS: Record<Action, string> = {
  FEEDBACK: 'Answer accepted',
  READ_AGAIN: 'Question read again',
  APPROVED: 'Approved',
  PROMOTED: 'Live',
  DUPLICATE: 'Approved, existed already',
  REJECTED: 'Rejected',
  UNDONE: 'Approval undone',
  ROLLED_BACK: 'Rolled back to',
  UNPUBLISHED: 'Unpublished',
  EXPIRED: 'Expired',
  REOPENED: 'Reopened',
  REBUILT: 'List rebuilt',
  REGISTER: 'Offered by a client',
  UPDATE: 'New version offered by a client',
  REVOKE: 'Withdrawn by a client',
  CORRECTED: 'JSON corrected',
  ERROR: 'Error',
  MISSING_CAPABILITY: 'Question that nothing here answers'
};

export function verifiedSentence({ entries, tools, problems }: PanelVerified): string {
  const looked = `${counted(entries, 'entry', 'entries')} and ${counted(tools, 'active tool', 'active tools')}`;
  return problems.length === 0
    ? `Intact: ${looked} are as they were written and approved.`
    : `${counted(problems.length, 'problem', 'problems')} found in ${looked}:`;
}

export function used(calls: number, errors: number, lastUsed: string): string {
  if (calls === 0) {
    return LIBRARY.never;
  }
  const failed = errors > 0 ? `, ${errors.toLocaleString('en-US')} failed` : '';
  return `${counted(calls, 'call', 'calls')}${failed}, last ${when(lastUsed)}`;
}

/** A moment as a person says it, in their own time zone. */
export function when(iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) {
    return iso;
  }
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday
    ? moment.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit', hour12: false })
    : moment.toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric' });
}

export function counted(number: number, one: string, several: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : several}`;
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
