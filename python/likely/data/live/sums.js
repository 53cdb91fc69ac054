// Sums of numbers that keep what rounding cuts off (Knuth's two-sum), as the kernel adds up the weights of a long text
// (crates/likely-core/src/compensated_sum.rs).

export class Sum {
  sum = 0;
  error = 0;

  add(more) {
    const sum = this.sum + more;
    const part = sum - this.sum;
    this.error += this.sum - (sum - part) + (more - part);
    this.sum = sum;
  }

  /** Adds a number times another, which is cut into two, so that the products are exact if the first is a small integer. */
  addTimes(count, number) {
    const high = Math.fround(number);
    this.add(count * high);
    this.add(count * (number - high));
  }

  /** The sum; once it is infinite, the error is not a number. */
  get total() {
    return Number.isNaN(this.error) ? this.sum : this.sum + this.error;
  }
}
