import type { ComponentProps } from 'react';
import { Segments } from '../field/Segments.tsx';
import print from './PrintPage.module.css';

/** A choice above the sheets of a print page, with its label before it. */
export function PrintChoice<Id extends string>(props: ComponentProps<typeof Segments<Id>>) {
  return (
    <div className={print.choice}>
      <span aria-hidden="true">{props.label}</span>
      <Segments {...props} />
    </div>
  );
}
