// Comm bytes on one side, the generated message types on the other.

import { KernelMessage } from '@jupyterlab/services';
import type { Kernel } from '@jupyterlab/services';
import type { JSONValue } from '@lumino/coreutils';

const SUBSHELL_DEADLINE = 3000;

export interface Ears<ToPage> {
  heard(message: ToPage): void;
  closed(): void;
}

/** One comm to one kernel. */
export class Channel<FromPage> {
  /** Open the comm; `first` travels with the opening. A kernel without our extension closes it at once. */
  static async open<FromPage, ToPage>(
    kernel: Kernel.IKernelConnection,
    target: string,
    first: FromPage,
    ears: Ears<ToPage>
  ): Promise<Channel<FromPage>> {
    await kernel.info;
    const comm = kernel.createComm(target);
    comm.onMsg = message => ears.heard(message.content.data as unknown as ToPage);
    comm.onClose = () => ears.closed();
    await subshellOf(kernel, comm);
    comm.open(first as unknown as JSONValue);
    return new Channel<FromPage>(kernel, comm);
  }

  private constructor(
    private readonly _kernel: Kernel.IKernelConnection,
    private readonly _comm: Kernel.IComm
  ) {}

  send(message: FromPage): void {
    this._comm.send(message as unknown as JSONValue);
  }

  /** Say over the main shell that it is over: the subshell may be deleted before it comes to read that. */
  close(): void {
    const { _kernel: kernel, _comm: comm } = this;
    if (comm.isDisposed) {
      return;
    }
    comm.onClose = () => undefined;
    if (!kernel.isDisposed) {
      kernel.sendShellMessage(
        KernelMessage.createMessage({
          msgType: 'comm_close',
          channel: 'shell',
          username: kernel.username,
          session: kernel.clientId,
          content: { comm_id: comm.commId, data: {} }
        }),
        false,
        true
      );
    }
    comm.dispose();
  }

  /** Close where the connection to the kernel goes at once: JupyterLab would ask too late for the subshell's end. */
  leave(): void {
    const { subshellId } = this._comm as { subshellId?: string | null };
    this.close();
    if (subshellId && !this._kernel.isDisposed) {
      this._kernel.requestDeleteSubshell({ subshell_id: subshellId }, true).done.catch(() => undefined);
    }
  }
}

/** Without this wait the opening goes to the main shell, and stands in line behind the running cell. */
async function subshellOf(kernel: Kernel.IKernelConnection, comm: Kernel.IComm): Promise<void> {
  const { subshellStarted } = comm as { subshellStarted?: Promise<void> };
  if (subshellStarted === undefined || !kernel.supportsSubshells || comm.commsOverSubshells === 'disabled') {
    return;
  }
  const deadline = new Promise<void>(resolve => setTimeout(resolve, SUBSHELL_DEADLINE));
  await Promise.race([subshellStarted.catch(() => undefined), deadline]);
}
