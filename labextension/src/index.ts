// Registers the plugin, and nothing else.

import { ILayoutRestorer, JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { ILauncher } from '@jupyterlab/launcher';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';

import { addCommands, addPanelCommand, addReviewCommand, addStopCommand, COMMANDS } from './commands';
import { ConsentDialog } from './dialog';
import { panelIcon } from './icon';
import { Inbox } from './inbox';
import { SidePanel } from './panel/widget';
import { addPlaces } from './places';
import { cardFactory } from './renderer';
import { CardSession } from './session';

/** The part of a notebook panel that we need; naming the type itself would pull in the whole notebook package. */
interface NotebookLike {
  readonly content: { readonly rendermime: IRenderMimeRegistry };
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-mcpgen:card',
  description: 'Shows answers of jupyter-mcpgen and offers of AI clients, and carries the decisions to the kernel.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: [ICommandPalette, ILayoutRestorer, ILauncher, IStatusBar, ISettingRegistry],
  activate: (
    app: JupyterFrontEnd,
    rendermime: IRenderMimeRegistry,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    launcher: ILauncher | null,
    statusBar: IStatusBar | null,
    settings: ISettingRegistry | null
  ) => {
    const sessions = new Map<string, CardSession>();
    const byContext = new WeakMap<DocumentRegistry.Context, CardSession>();
    let count = 0;

    const inbox = new Inbox();
    new ConsentDialog(inbox, rendermime, app);
    inbox.followServer();
    const panel = new SidePanel(inbox, rendermime);
    app.shell.add(panel, 'left', { rank: 600 });
    restorer?.add(panel, panel.id);

    const sessionOf = (context: DocumentRegistry.Context): CardSession => {
      const known = byContext.get(context);
      if (known !== undefined) {
        return known;
      }
      const session = new CardSession(`notebook-${++count}`, context.sessionContext);
      const followed = inbox.follow(session.id, context);
      session.store.changed.connect(() => app.commands.notifyCommandChanged(COMMANDS.stop));
      session.store.changed.connect(() => places.cardsChanged());
      byContext.set(context, session);
      sessions.set(session.id, session);
      context.disposed.connect(() => {
        sessions.delete(session.id);
        session.dispose();
        followed.dispose();
      });
      return session;
    };

    addCommands(app.commands, sessions);
    addStopCommand(app.commands, sessions);
    addReviewCommand(app.commands, inbox);
    addPanelCommand(app.commands, panelIcon, () => app.shell.activateById(panel.id));
    [COMMANDS.openPanel, COMMANDS.review, COMMANDS.stop].forEach(command =>
      palette?.addItem({ command, category: 'mcpgen' })
    );
    const places = addPlaces(app, inbox, sessions, { palette, launcher, statusBar, settings });
    rendermime.addFactory(cardFactory(rendermime, app.commands, null), 0);
    app.docRegistry.addWidgetExtension('Notebook', {
      createNew: (panel, context) => {
        const { rendermime: own } = (panel as unknown as NotebookLike).content;
        own.addFactory(cardFactory(own, app.commands, sessionOf(context as DocumentRegistry.Context)), 0);
      }
    });
  }
};

export default plugin;
