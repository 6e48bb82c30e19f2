// The notebook that a person looks at, and cells that are put into it for them to run or to go on writing.

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { Widget } from '@lumino/widgets';

const LOAD = '%load_ext jupyter_mcpgen';
const NAMES_US = 'jupyter_mcpgen';
const NAME = /[A-Za-z_]\w*/g;

/** The parts of a notebook panel that we need; naming the type itself would pull in the whole notebook package. */
interface Editor {
  focus(): void;
  getSelection(): { readonly start: Position; readonly end: Position };
  getOffsetAt(position: Position): number;
  getPositionAt(offset: number): Position | undefined;
  setCursorPosition(position: Position): void;
}
interface Position {
  readonly line: number;
  readonly column: number;
}
interface Cell {
  readonly model: { readonly sharedModel: { source: string; setSource(text: string): void } };
  readonly editor: Editor | null;
  readonly ready: Promise<void>;
}
export interface NotebookPanel extends Widget {
  readonly context: DocumentRegistry.Context;
  readonly content: {
    readonly activeCell: Cell | null;
    mode: 'command' | 'edit';
    readonly model: { readonly sharedModel: { readonly cells: ReadonlyArray<{ readonly source: string }> } } | null;
  };
}

/** The notebook that has the focus, if one has. */
export function currentNotebook(app: JupyterFrontEnd): NotebookPanel | null {
  const widget = app.shell.currentWidget as unknown as NotebookPanel | null;
  return widget?.context?.model !== undefined && widget.content?.model?.sharedModel?.cells !== undefined
    ? widget
    : null;
}

/** What a cell has to begin with, so that the magic is known in it. */
export function withMagic(command: string, sources: ReadonlyArray<string>): string {
  return sources.some(source => source.includes(NAMES_US)) ? command : `${LOAD}\n${command}`;
}

/** The name at a place of a text, if one is there. */
export function nameAt(text: string, offset: number): string | null {
  const found = [...text.matchAll(NAME)].find(one => one.index <= offset && offset <= one.index + one[0].length);
  return found?.[0] ?? null;
}

/** The name that is selected in the active cell, or that its cursor is at. */
export function selectedName({ content }: NotebookPanel): string | null {
  const { editor, model } = content.activeCell ?? {};
  if (!editor || model === undefined) {
    return null;
  }
  const { start, end } = editor.getSelection();
  const [from, to] = [editor.getOffsetAt(start), editor.getOffsetAt(end)].sort((one, other) => one - other);
  const { source } = model.sharedModel;
  const selected = source.slice(from, to).trim();
  return selected === '' ? null : selected.match(/^[A-Za-z_]\w*$/) ? selected : null;
}

/** Put a cell below the active one, and begin to write at `cursor` characters before its end. */
export async function writeBelow(
  app: JupyterFrontEnd,
  panel: NotebookPanel,
  command: string,
  cursor: number
): Promise<void> {
  const cell = await insertBelow(app, panel, command);
  panel.content.mode = 'edit';
  await cell.ready;
  const { source } = cell.model.sharedModel;
  const place = cell.editor?.getPositionAt(source.length - cursor);
  if (place !== undefined) {
    cell.editor?.setCursorPosition(place);
  }
  cell.editor?.focus();
}

/** Put a cell below the active one and run it. */
export async function runBelow(app: JupyterFrontEnd, panel: NotebookPanel, command: string): Promise<void> {
  await insertBelow(app, panel, command);
  await app.commands.execute('notebook:run-cell');
}

async function insertBelow(app: JupyterFrontEnd, panel: NotebookPanel, command: string): Promise<Cell> {
  const sources = panel.content.model?.sharedModel.cells.map(cell => cell.source) ?? [];
  app.shell.activateById(panel.id);
  await app.commands.execute('notebook:insert-cell-below');
  const cell = panel.content.activeCell;
  if (cell === null) {
    throw new Error('The notebook has no active cell.');
  }
  cell.model.sharedModel.setSource(withMagic(command, sources));
  return cell;
}
