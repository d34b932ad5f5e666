export { type SequenceLists, createSequenceLists } from './lists.ts';
export { type GivenSequence, type Sequences, createSequences } from './sequences.ts';
