/** Texts for choosing a printer in the desktop window. */
export const printers = {
  printer: 'Printer',
  dialog: 'Ask each time',
  gone: (name: string) => `${name} (not connected)`,
  notPrinted: {
    gone: (name: string) => `This computer no longer has the printer ${name}. Choose another one.`,
    failed: (name: string) => `The printer ${name} did not print. Use the print dialog instead.`,
  },
} as const;
