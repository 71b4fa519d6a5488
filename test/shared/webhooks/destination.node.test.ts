/** The tests of workerd in Node as well, because tools check destinations in Node. */
import './destination.test.ts'
