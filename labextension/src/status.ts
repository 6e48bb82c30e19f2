// The item in the status bar: how many decisions wait, and whether the MCP server runs.

import { Widget } from '@lumino/widgets';

import type { Standing } from './messages';

/** What the item says, and what it says in full. */
export interface Told {
  readonly text: string;
  readonly title: string;
}

/** Say how things stand; `here` is what waits in the open notebooks, for where nobody tells of the whole registry. */
export function told(standing: Standing | null, here: number): Told {
  const waiting = standing === null || standing.waiting < 0 ? here : standing.waiting;
  const server = standing?.server ?? 'unknown';
  const where = standing === null ? ' in the open notebooks' : '';
  const decisions = waiting === 1 ? '1 decision waits' : `${waiting === 0 ? 'No' : waiting} decisions wait`;
  return { text: `mcpgen: ${waiting}${SIGNS[server]}`, title: `${decisions}${where}. ${SERVERS[server]}` };
}

const SIGNS: Record<Standing['server'], string> = { running: ' · server on', stopped: '', unknown: '' };
const SERVERS: Record<Standing['server'], string> = {
  running: 'The MCP server is running.',
  stopped: 'The MCP server is not running.',
  unknown: 'Whether the MCP server is running is not known.'
};

export class StatusItem extends Widget {
  constructor(open: () => void) {
    const button = document.createElement('button');
    button.type = 'button';
    super({ node: button });
    this.addClass('jp-mcpgen-status');
    button.addEventListener('click', open);
  }

  tell(now: Told): void {
    this.node.textContent = now.text;
    this.node.title = now.title;
    this.node.setAttribute('aria-label', `${now.text}. ${now.title}`);
  }
}
