// Calls.java: 300 calls from threads of a Java virtual machine.
// SPDX-License-Identifier: MIT
class Calls {
	static native void hundred();

	public static void main(String[] arguments) throws InterruptedException {
		System.load(arguments[0]);
		hundred();
		for (int i = 0; i < 2; i++) {
			Thread thread = new Thread(Calls::hundred);
			thread.start();
			thread.join();
		}
		System.out.println("300 calls");
		System.exit(7);
	}
}
