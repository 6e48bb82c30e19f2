// The item in the status bar: how many decisions wait, and whether the MCP server runs.

import { Widget } from '@lumino/widgets';

import type { Told } from './told';

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
