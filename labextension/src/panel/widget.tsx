// The side panel as JupyterLab sees it: a widget around one React root.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import * as React from 'react';
import { flushSync } from 'react-dom';
import { createRoot, Root } from 'react-dom/client';

import { panelIcon } from '../icon';
import type { Inbox } from '../inbox';
import { PanelSession } from './session';
import { PanelView } from './views/panel';
import { TITLE } from './words';

export class SidePanel extends Widget {
  constructor(
    private readonly _inbox: Inbox,
    private readonly _rendermime: IRenderMimeRegistry
  ) {
    super();
    this.id = 'mcpgen-panel';
    this.addClass('jp-mcpgen-Panel');
    this.title.icon = panelIcon;
    this.title.caption = TITLE;
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', TITLE);
  }

  dispose(): void {
    this._session.dispose();
    const root = this._root;
    // React must not be unmounted while it renders
    queueMicrotask(() => root?.unmount());
    super.dispose();
  }

  /** Nothing is drawn or asked for before the panel is on view for the first time. */
  protected onAfterShow(): void {
    this._draw();
  }

  protected onAfterAttach(): void {
    if (this.isVisible) {
      this._draw();
    }
  }

  protected onAfterHide(): void {
    this._session.hide();
  }

  /** The focus goes to the heading, from where a screen reader reads on. */
  protected onActivateRequest(message: Message): void {
    super.onActivateRequest(message);
    this.node.querySelector<HTMLElement>('h2')?.focus();
  }

  private _draw(): void {
    if (this._root === null) {
      const root = createRoot(this.node);
      this._root = root;
      // at once, so that the heading is there for the focus
      flushSync(() =>
        root.render(<PanelView session={this._session} inbox={this._inbox} rendermime={this._rendermime} />)
      );
    }
    this._session.show();
  }

  private readonly _session = new PanelSession();
  private _root: Root | null = null;
}
