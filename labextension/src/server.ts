// The Jupyter server's part of consent: it tells what waits where no kernel runs, over one socket for each page.

import { ServerConnection } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const ABOUT = 'mcpgen/about';

/** Who speaks with the server. */
export interface Speaker<FromPage, ToPage> {
  /** What is said first, each time that the connection opens. */
  opening(): FromPage;
  heard(message: ToPage): void;
  lost(): void;
  /** The server does not have what this speaker asks for, and will not have it before it is started again. */
  missing?(): void;
}

/** What the server says of its part; an older one names no sockets. */
interface About {
  readonly sockets?: ReadonlyArray<string>;
}

/** A socket of the Jupyter server that opens again when it is lost; a server without our part has none. */
export class ServerLine<FromPage, ToPage> implements IDisposable {
  constructor(
    private readonly _path: string,
    private readonly _speaker: Speaker<FromPage, ToPage>,
    private readonly _settings = ServerConnection.makeSettings()
  ) {}

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Whether something can be sent. */
  get isOpen(): boolean {
    return this._socket?.readyState === WebSocket.OPEN;
  }

  /** Open the socket, if the server has our part. */
  async open(): Promise<void> {
    const { baseUrl } = this._settings;
    const answer = await ServerConnection.makeRequest(`${baseUrl}${ABOUT}`, {}, this._settings).catch(() => null);
    if (this._isDisposed) {
      return;
    }
    if (answer === null || answer.status >= 500) {
      this._later();
    } else if (answer.ok && (await hasSocket(answer, this._path))) {
      this._connect();
    } else {
      this._speaker.missing?.();
    }
  }

  send(message: FromPage): void {
    if (this._socket === null || !this.isOpen) {
      throw new Error('The Jupyter server does not answer.');
    }
    this._socket.send(JSON.stringify(message));
  }

  dispose(): void {
    this._isDisposed = true;
    clearTimeout(this._timer);
    this._socket?.close();
  }

  private _connect(): void {
    const { wsUrl, token, appendToken } = this._settings;
    const key = appendToken && token !== '' ? `?token=${encodeURIComponent(token)}` : '';
    const socket = new this._settings.WebSocket(`${wsUrl}mcpgen/${this._path}${key}`);
    this._socket = socket;
    socket.onopen = () => {
      this._wait = FIRST_WAIT;
      this.send(this._speaker.opening());
    };
    socket.onmessage = event => this._speaker.heard(JSON.parse(String(event.data)) as ToPage);
    socket.onclose = () => {
      this._socket = null;
      this._speaker.lost();
      this._later();
    };
  }

  private _later(): void {
    if (!this._isDisposed) {
      this._timer = setTimeout(() => void this.open(), this._wait);
      this._wait = Math.min(2 * this._wait, LONGEST_WAIT);
    }
  }

  private _socket: WebSocket | null = null;
  private _timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private _wait = FIRST_WAIT;
  private _isDisposed = false;
}

async function hasSocket(answer: Response, path: string): Promise<boolean> {
  const { sockets = [] } = (await answer.json()) as About;
  return sockets.includes(path);
}
