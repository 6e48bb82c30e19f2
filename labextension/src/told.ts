// What the item in the status bar says.

import type { Standing } from './messages';

/** The item's text, and the same in full. */
export interface Told {
  readonly text: string;
  readonly title: string;
}

const SIGNS: Record<Standing['server'], string> = { running: ' · server on', stopped: '', unknown: '' };
const SERVERS: Record<Standing['server'], string> = {
  running: 'The MCP server is running.',
  stopped: 'The MCP server is not running.',
  unknown: 'Whether the MCP server is running is not known.'
};

/** Say how things stand; `here` is what waits in the open notebooks, for where nobody tells of the whole registry. */
export function told(standing: Standing | null, here: number): Told {
  const isKnown = standing !== null && standing.waiting >= 0;
  const waiting = isKnown ? standing.waiting : here;
  const server = standing?.server ?? 'unknown';
  const decisions = waiting === 1 ? '1 decision waits' : `${waiting === 0 ? 'No' : waiting} decisions wait`;
  return {
    text: `mcpgen: ${waiting}${SIGNS[server]}`,
    title: `${decisions}${isKnown ? '' : ' in the open notebooks'}. ${SERVERS[server]}`
  };
}
