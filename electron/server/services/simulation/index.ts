export { type Simulation, createSimulation } from './simulation.ts';
