// Where people look: the palette, the menus, the launcher and the status bar. Menus, toolbar and keys are in the schema.

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { ILauncher } from '@jupyterlab/launcher';
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { IStatusBar } from '@jupyterlab/statusbar';

import { COMMANDS } from './commands';
import { keepKeysInForms } from './forms';
import { panelIcon } from './icon';
import type { Inbox } from './inbox';
import { currentNotebook, NotebookPanel, runBelow, selectedName, withMagic, writeBelow } from './notebooks';
import { Pointed } from './pointed';
import { mark, PreferenceStore } from './preferences';
import type { CardSession } from './session';
import { StandingWatch } from './standing';
import { StatusItem } from './status';
import { stand } from './store';
import { told } from './told';

const PLUGIN = 'jupyter-mcpgen:card';
const CATEGORY = 'mcpgen';
const OPEN_PANEL = 'mcpgen:open-panel';
const MAGIC = '%mcpgen ';
export const PLACES = {
  ask: 'mcpgen:ask',
  explore: 'mcpgen:explore',
  create: 'mcpgen:create-notebook',
  decisions: 'mcpgen:show-decisions',
  settings: 'mcpgen:settings'
} as const;

/** What JupyterLab has and other front ends may not have. */
export interface Furniture {
  readonly palette: ICommandPalette | null;
  readonly launcher: ILauncher | null;
  readonly statusBar: IStatusBar | null;
  readonly settings: ISettingRegistry | null;
}

export function addPlaces(
  app: JupyterFrontEnd,
  inbox: Inbox,
  sessions: ReadonlyMap<string, CardSession>,
  furniture: Furniture
): { readonly cardsChanged: () => void } {
  addNotebookCommands(app);
  addPageCommands(app);
  keepKeysInForms();
  const { palette, launcher } = furniture;
  Object.values(PLACES).forEach(command => palette?.addItem({ command, category: CATEGORY }));
  launcher?.add({ command: PLACES.create, category: 'Other', rank: 0, args: { isLauncher: true } });
  const preferences = followPreferences(inbox, furniture.settings);
  return furniture.statusBar === null
    ? { cardsChanged: () => undefined }
    : addStatusItem(app, furniture.statusBar, preferences, inbox, sessions);
}

/** Commands that put a cell into the notebook: a person sees what is typed, and can type it themselves next time. */
function addNotebookCommands(app: JupyterFrontEnd): void {
  const pointed = new Pointed();
  const isPossible = () => currentNotebook(app) !== null;
  const inNotebook = (act: (panel: NotebookPanel) => Promise<void>) => {
    const panel = currentNotebook(app);
    return panel === null ? Promise.resolve() : act(panel);
  };
  const named = (args: { readonly [key: string]: unknown }) => {
    const panel = currentNotebook(app);
    const name = args.pointed ? pointed.name : panel && selectedName(panel);
    return typeof args.name === 'string' ? args.name : name;
  };
  const args = { pointed: { type: 'boolean' }, name: { type: 'string' } };
  app.commands.addCommand(PLACES.ask, {
    label: described => (described.pointed ? 'Ask mcpgen about this' : 'mcpgen: Ask a question'),
    caption: 'Ask a question of your data (mcpgen)',
    icon: panelIcon,
    isEnabled: isPossible,
    describedBy: { args: { type: 'object', properties: args } },
    execute: given => {
      const name = named(given);
      const about = name === null ? '' : ` in ${name}`;
      return inNotebook(panel => writeBelow(app, panel, `${MAGIC}${about}`, about.length));
    }
  });
  app.commands.addCommand(PLACES.explore, {
    label: described =>
      described.pointed ? `Explore “${pointed.name ?? ''}” with mcpgen` : 'mcpgen: Explore the table at the cursor',
    icon: panelIcon,
    isEnabled: isPossible,
    isVisible: given => !given.pointed || pointed.name !== null,
    describedBy: { args: { type: 'object', properties: args } },
    execute: given => inNotebook(panel => runBelow(app, panel, `${MAGIC}explore ${named(given) ?? ''}`.trimEnd()))
  });
}

function addPageCommands(app: JupyterFrontEnd): void {
  const { commands } = app;
  const describedBy = { args: { type: 'object', properties: { cwd: { type: 'string' } } } };
  commands.addCommand(PLACES.create, {
    label: described => (described.isLauncher ? 'Ask your data' : 'mcpgen: New notebook to ask in'),
    caption: 'A new notebook that is ready for questions',
    icon: panelIcon,
    describedBy,
    execute: async ({ cwd }) => {
      const kernelName = app.serviceManager.kernelspecs.specs?.default;
      const made = await commands.execute('notebook:create-new', { cwd, kernelName });
      const panel = made as NotebookPanel;
      await panel.context.ready;
      panel.content.activeCell?.model.sharedModel.setSource(withMagic(MAGIC, []));
      return panel;
    }
  });
  commands.addCommand(PLACES.decisions, {
    label: 'mcpgen: Show what waits for a decision',
    icon: panelIcon,
    describedBy: { args: { type: 'object', properties: {} } },
    execute: () => commands.execute(commands.hasCommand(OPEN_PANEL) ? OPEN_PANEL : COMMANDS.review)
  });
  commands.addCommand(PLACES.settings, {
    label: 'mcpgen: Settings',
    isVisible: () => commands.hasCommand('settingeditor:open'),
    describedBy: { args: { type: 'object', properties: {} } },
    execute: () => commands.execute('settingeditor:open', { query: CATEGORY })
  });
}

function followPreferences(inbox: Inbox, settings: ISettingRegistry | null): PreferenceStore {
  const store = new PreferenceStore();
  const apply = () => {
    mark(store.preferences, document.body);
    inbox.setNotices(store.preferences.notices);
  };
  store.changed.connect(apply);
  apply();
  if (settings !== null) {
    // without its schema, as where only the page's files were copied, everything stays at its usual value
    store.follow(settings, PLUGIN).catch(error => console.warn('The settings of jupyter-mcpgen are not read.', error));
  }
  return store;
}

function addStatusItem(
  app: JupyterFrontEnd,
  statusBar: IStatusBar,
  preferences: PreferenceStore,
  inbox: Inbox,
  sessions: ReadonlyMap<string, CardSession>
): { readonly cardsChanged: () => void } {
  const item = new StatusItem(() => void app.commands.execute(PLACES.decisions));
  const watch = new StandingWatch();
  const tell = () => item.tell(told(watch.standing, inbox.store.state.requests.size + cardsWaiting(sessions)));
  statusBar.registerStatusItem('jupyter-mcpgen:status', {
    item,
    align: 'left',
    rank: 100,
    isActive: () => preferences.preferences.statusBar,
    activeStateChanged: preferences.changed
  });
  const happened = () => {
    tell();
    watch.soon();
  };
  watch.changed.connect(tell);
  inbox.store.changed.connect(happened);
  tell();
  void app.restored.then(() => watch.soon());
  return { cardsChanged: happened };
}

/** How many cards of the open notebooks can be decided. */
function cardsWaiting(sessions: ReadonlyMap<string, CardSession>): number {
  const ids = new Set<string>();
  sessions.forEach(session =>
    session.store.state.entries.forEach(({ painted }) => {
      if (painted !== null && ['output-asked', 'saving-asked'].includes(stand(painted.card))) {
        ids.add(painted.card.card_id);
      }
    })
  );
  return ids.size;
}
