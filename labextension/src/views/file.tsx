// How a file was read, to be said otherwise: a few fields, and beside them the beginning of the file as it is read then.

import * as React from 'react';

import type { FilePreview, ReadFile, ReadOptions } from '../messages';
import { Fields } from './field';
import type { Acts, Outlook } from './outlook';

/** A person types several signs in a row; the file is looked into when they pause. */
const PAUSE_MS = 300;

const SIGNS: ReadonlyArray<readonly [string, string]> = [
  ['', 'as found'],
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe']
];
const OTHER_SIGN = 'other';
const ENCODINGS = ['utf-8', 'cp1252', 'cp1250', 'cp1251', 'utf-16', 'mac_roman', 'cp850', 'shift_jis', 'gb18030'];
const NO_NAMES = '0';
const MARKS = { '.': 'point', ',': 'comma', ' ': 'space', "'": 'apostrophe' };
const DECIMALS: ReadonlyArray<ReadOptions['decimal']> = ['.', ','];
const THOUSANDS: ReadonlyArray<ReadOptions['thousands']> = [',', '.', ' ', "'"];
const DAYS = ['day first', 'month first', '%d/%m/%Y', '%m/%d/%Y', '%d.%m.%Y'];

interface Props {
  readonly outlook: Outlook;
  readonly acts: Acts;
}

/** The buttons beside a sentence that says how a file was read. */
export function ReadFileButtons({ note, outlook, acts }: Props & { note: string }): JSX.Element {
  // cards of older notebooks have no files
  const files = (outlook.card.files ?? []).filter(file => file.note === note);
  return (
    <>
      {files.map(file => (
        <ReadFileButton key={String(file.is_other)} file={file} outlook={outlook} acts={acts} />
      ))}
    </>
  );
}

/** One of them, with the form below it while it is open. */
function ReadFileButton({ file, outlook, acts }: Props & { file: ReadFile }): JSX.Element | null {
  const preview = outlook.looked.file;
  const isOpen = preview !== null && preview.is_other === file.is_other;
  const button = React.useRef<HTMLButtonElement>(null);
  if (outlook.hands.kind === 'tied') {
    return null;
  }
  const free = outlook.hands.kind === 'free';
  const close = () => {
    acts.closeFile();
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="jp-mcpgen-editQuestion"
        aria-expanded={isOpen}
        aria-disabled={!free}
        aria-label={`Change how ${file.name} is read`}
        onClick={() => free && (isOpen ? close() : acts.lookIntoFile(file.is_other, null, null))}
      >
        Change
      </button>
      {isOpen && <FileForm preview={preview} name={file.name} free={free} acts={acts} close={close} />}
    </>
  );
}

interface FormProps {
  readonly preview: FilePreview;
  readonly name: string;
  readonly free: boolean;
  readonly acts: Acts;
  close(): void;
}

function FileForm({ preview, name, free, acts, close }: FormProps): JSX.Element {
  const [typed, setTyped] = React.useState(() => typedOf(preview.options));
  const [sheet, setSheet] = React.useState(preview.sheet);
  const { is_other: isOther } = preview;
  const shown = React.useRef(JSON.stringify([typed, sheet]));
  React.useEffect(() => {
    const now = JSON.stringify([typed, sheet]);
    if (now === shown.current) {
      return;
    }
    const later = window.setTimeout(() => {
      shown.current = now;
      acts.lookIntoFile(isOther, optionsOf(typed), sheet);
    }, PAUSE_MS);
    return () => window.clearTimeout(later);
  }, [typed, sheet, isOther, acts]);
  const may = free && preview.refused === '';
  const send = () => may && acts.readSo(isOther, optionsOf(typed), sheet);
  return (
    <Fields className="jp-mcpgen-chooser jp-mcpgen-file" label={`How ${name} is read`} send={send} close={close}>
      {preview.sheets.length > 0 ? (
        <label>
          Table
          <select value={sheet ?? ''} onChange={event => setSheet(event.target.value)}>
            {preview.sheets.map(one => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      ) : (
        <TextFields typed={typed} change={part => setTyped({ ...typed, ...part })} />
      )}
      <Beginning preview={preview} />
      <div className="jp-mcpgen-row">
        <button type="button" className="jp-mcpgen-button jp-mod-strong" aria-disabled={!may} onClick={send}>
          Ask again
        </button>
        <button type="button" className="jp-mcpgen-button" onClick={close}>
          Close
        </button>
      </div>
    </Fields>
  );
}

/** The options as they stand in the fields; an empty field leaves it to the file. */
interface Typed {
  readonly header: string;
  readonly sign: string;
  readonly otherSign: string;
  readonly encoding: string;
  readonly skip: string;
  readonly footer: string;
  readonly missing: string;
  readonly decimal: ReadOptions['decimal'];
  readonly thousands: ReadOptions['thousands'];
  readonly dates: string;
}

function TextFields({ typed, change }: { typed: Typed; change(part: Partial<Typed>): void }): JSX.Element {
  const listId = React.useId();
  const mark = (field: 'decimal' | 'thousands', label: string, marks: ReadonlyArray<Typed['thousands']>) => (
    <label>
      {label}
      <select
        value={typed[field] ?? ''}
        onChange={event => change({ [field]: marks.find(one => one === event.target.value) ?? null })}
      >
        <option value="">as found</option>
        {marks.map(one => (
          <option key={one} value={one ?? ''}>
            {one && MARKS[one]}
          </option>
        ))}
      </select>
    </label>
  );
  const count = (field: 'header' | 'skip' | 'footer', label: string, empty = 'as found') => (
    <label>
      {label}
      <input
        type="number"
        min={0}
        step={1}
        placeholder={empty}
        value={typed[field]}
        onChange={event => change({ [field]: event.target.value })}
      />
    </label>
  );
  return (
    <div className="jp-mcpgen-fileFields">
      {count('header', 'Line of the column names')}
      <label>
        <span>No line of names</span>
        <input
          type="checkbox"
          checked={typed.header === NO_NAMES}
          onChange={event => change({ header: event.target.checked ? NO_NAMES : '' })}
        />
      </label>
      <label>
        Fields are separated by
        <select value={typed.sign} onChange={event => change({ sign: event.target.value })}>
          {SIGNS.map(([sign, label]) => (
            <option key={label} value={sign}>
              {label}
            </option>
          ))}
          <option value={OTHER_SIGN}>another sign</option>
        </select>
      </label>
      {typed.sign === OTHER_SIGN && (
        <label>
          The sign
          <input
            type="text"
            maxLength={1}
            value={typed.otherSign}
            onChange={event => change({ otherSign: event.target.value })}
          />
        </label>
      )}
      <label>
        Encoding
        <input
          type="text"
          list={listId}
          placeholder="as found"
          value={typed.encoding}
          onChange={event => change({ encoding: event.target.value })}
        />
        <datalist id={listId}>
          {ENCODINGS.map(one => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      {count('skip', 'Lines left out at the start', 'none')}
      {count('footer', 'Rows left out at the end')}
      {mark('decimal', 'Mark before decimals', DECIMALS)}
      {mark('thousands', 'Between thousands', THOUSANDS)}
      <label>
        Dates
        <input
          type="text"
          list={`${listId}-dates`}
          placeholder="as found"
          value={typed.dates}
          onChange={event => change({ dates: event.target.value })}
        />
        <datalist id={`${listId}-dates`}>
          {DAYS.map(one => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <label>
        Words for a missing value
        <input
          type="text"
          placeholder="such as none, closed"
          value={typed.missing}
          onChange={event => change({ missing: event.target.value })}
        />
      </label>
    </div>
  );
}

/** The first lines as they are written, and the first rows as they are read. */
function Beginning({ preview }: { preview: FilePreview }): JSX.Element {
  return (
    <>
      <p className="jp-mcpgen-fileNote" role="status">
        {preview.refused === '' ? preview.note : preview.refused}
      </p>
      {preview.columns.length > 0 && (
        <div className="jp-mcpgen-fileTable" tabIndex={0} role="group" aria-label="The first rows as they are read">
          <table>
            <thead>
              <tr>
                {preview.columns.map((one, index) => (
                  <th key={index} scope="col">
                    {one}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, place) => (
                    <td key={place}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {preview.lines.length > 0 && (
        <ol className="jp-mcpgen-fileLines" tabIndex={0} aria-label="The first lines as they are written">
          {preview.lines.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function typedOf(options: ReadOptions): Typed {
  const { delimiter, encoding, skip, header, footer, missing, decimal, thousands, dates } = options;
  const isListed = SIGNS.some(([sign]) => sign === (delimiter ?? ''));
  return {
    header: header === null ? '' : String(header),
    sign: isListed ? (delimiter ?? '') : OTHER_SIGN,
    otherSign: isListed ? '' : (delimiter ?? ''),
    encoding: encoding ?? '',
    skip: skip === 0 ? '' : String(skip),
    footer: footer === null ? '' : String(footer),
    missing: missing.join(', '),
    decimal,
    thousands,
    dates: dates ?? ''
  };
}

function optionsOf(typed: Typed): ReadOptions {
  const sign = typed.sign === OTHER_SIGN ? typed.otherSign : typed.sign;
  return {
    delimiter: sign || null,
    encoding: typed.encoding.trim() || null,
    skip: counted(typed.skip) ?? 0,
    header: counted(typed.header),
    footer: counted(typed.footer),
    missing: typed.missing
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== ''),
    decimal: typed.decimal,
    thousands: typed.thousands,
    dates: typed.dates.trim() || null
  };
}

/** What is no whole number leaves it to the file, as an empty field does. */
function counted(text: string): number | null {
  return /^\d+$/.test(text.trim()) ? Number(text) : null;
}
