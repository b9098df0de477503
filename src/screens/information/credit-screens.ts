/** The screens of the credit score and of loans as one chunk: each leads to the others. */
export { CreditPage } from "./credit.tsx";
export { LoanPage } from "./loan.tsx";
export { LoanRepayPage } from "./loan-repay.tsx";
