// Messages of a kernel for the tests, whole but for what a test is about.

import type { Asking, Card, Painted, QuestionBack } from '../../labextension/src/messages';

export function card(changes: Partial<Card> = {}): Card {
  const whole: Partial<Card> = {
    card_id: 'sum-01',
    tool_name: 'sum',
    version: '1.0.0',
    fingerprint: 'sha256:1',
    question: 'total weight by harbor',
    reading: 'sum of weight by harbor',
    status: 'STAGED',
    sound: true,
    reused: false,
    archived: null,
    evidence: [],
    findings: [],
    feedback: { output: 'PENDING', decision: 'PENDING', notes: null } as unknown as Card['feedback']
  };
  return { ...whole, ...changes } as Card;
}

export function painted(of: Card, replaces: string | null = null): Painted {
  return { kind: 'painted', card: of, replaces, clients: null, html: '', markdown: '' };
}

export function question(id: string): QuestionBack {
  return { question_id: id, question: 'weight', options: [], unread: [] } as unknown as QuestionBack;
}

export function asking(changes: Partial<Asking> = {}): Asking {
  const whole = {
    kind: 'asking',
    asking_id: 'a1',
    question: 'weight',
    state: 'going',
    number: 1,
    card_id: '',
    card: null
  };
  return { ...whole, steps: [], ticks: [], gates: 0, ...changes } as unknown as Asking;
}
