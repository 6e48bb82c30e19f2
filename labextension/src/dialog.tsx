// The dialog that a request is read in. It opens only when a person asks for it, so it never takes keys from a cell.

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';
import { createRoot, Root } from 'react-dom/client';

import type { Inbox } from './inbox';
import { ConsentView } from './views/consent';

export class ConsentDialog {
  constructor(
    private readonly _inbox: Inbox,
    private readonly _rendermime: IRenderMimeRegistry,
    private readonly _app: JupyterFrontEnd
  ) {
    _inbox.store.changed.connect(this._update, this);
  }

  private _update(): void {
    const isOpen = this._inbox.store.state.opened !== null;
    if (isOpen && this._node === null) {
      this._open();
    } else if (!isOpen && this._node !== null) {
      this._close(this._node);
    }
  }

  private _open(): void {
    const node = document.createElement('dialog');
    node.className = 'jp-mcpgen-Consent';
    node.setAttribute('aria-labelledby', 'jp-mcpgen-consent-title');
    node.setAttribute('aria-describedby', 'jp-mcpgen-consent-who');
    node.tabIndex = -1;
    // the notebook must not take the keys that are pressed in here
    node.dataset.lmSuppressShortcuts = 'true';
    node.addEventListener('cancel', event => {
      event.preventDefault();
      this._inbox.close();
    });
    document.body.appendChild(node);
    this._node = node;
    this._root = createRoot(node);
    this._root.render(<ConsentView inbox={this._inbox} rendermime={this._rendermime} />);
    node.showModal();
    node.focus();
  }

  private _close(node: HTMLDialogElement): void {
    const root = this._root;
    this._node = null;
    this._root = null;
    node.close();
    node.remove();
    // React must not be unmounted while it renders
    queueMicrotask(() => root?.unmount());
    if (document.activeElement === null || document.activeElement === document.body) {
      this._app.shell.currentWidget?.activate();
    }
  }

  private _node: HTMLDialogElement | null = null;
  private _root: Root | null = null;
}
