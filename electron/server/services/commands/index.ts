export { type Commands, type OwnedEnd, type OwnerMoved, type SentCommand, createCommands } from './commands.ts';
export { labelOf } from './history.ts';
export { type CommandMoves, createCommandMoves } from './moves.ts';
export { type Reach, createReach } from './reach.ts';
