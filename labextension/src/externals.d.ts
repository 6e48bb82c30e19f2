// What we use of a package that is only a name in JupyterLab's share scope: installed, it would bring far more with it.

declare module '@jupyterlab/launcher' {
  import type { Token } from '@lumino/coreutils';
  import type { IDisposable } from '@lumino/disposable';

  export interface ILauncher {
    add(options: { command: string; category?: string; rank?: number; args?: { isLauncher: boolean } }): IDisposable;
  }
  export const ILauncher: Token<ILauncher>;
}
